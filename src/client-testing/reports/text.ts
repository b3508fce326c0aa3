/** The report for a terminal: failures with their clauses, then the counts. */
import { MARKS, type Check, type Report } from './report.js'

export interface TextOptions {
  /** Lists passed checks too. */
  all?: boolean
}

/** Returns the report as text. The caller escapes control characters. */
export const toText = ({ subject, checks, summary, notes }: Report, { all = false }: TextOptions = {}): string => {
  const groups = [...new Set(checks.map(({ group }) => group))]
  const lines = [subject, '']
  for (const group of groups) {
    const own = checks.filter((check) => check.group === group)
    lines.push(
      `${group}: ${own.filter(({ status }) => status === 'passed').length} passed, ` +
        `${own.filter(({ status }) => status === 'failed').length} failed, ` +
        `${own.filter(({ status }) => status === 'not-exercised').length} not exercised`
    )
    for (const check of own) if (all || check.status === 'failed') lines.push(...linesOf(check))
  }
  lines.push('', totalOf(summary), ...notes.map((note) => `Note: ${note}`))
  return lines.join('\n')
}

const linesOf = ({
  id,
  level,
  status,
  title,
  outcome,
  detail,
  clauses,
  exchanges,
  reproduce,
  known
}: Check): string[] => [
  `  ${MARKS[status]} ${id} (${level}): ${outcome}${known ? ' – known, from the baseline' : ''}`,
  `      ${title}`,
  ...detail
    .split('\n')
    .filter(Boolean)
    .map((line) => `      ${line}`),
  ...clauses.map(({ url }) => `      ${url}`),
  ...(status !== 'failed'
    ? []
    : exchanges
      .slice(0, 2)
      .map(
        ({ number, method, url, status: code, body }) =>
            `      exchange ${number}: ${method} ${url} → ${code} ${JSON.stringify(body ?? '').slice(0, 160)}`
      )),
  ...(status === 'failed' && reproduce !== undefined ? [`      Reproduce: ${reproduce}`] : [])
]

/** Returns the counts in one sentence. */
export const totalOf = ({ passed, failed, 'not-exercised': idle, known }: Report['summary']): string =>
  `${passed} passed, ${failed} failed, ${idle} not exercised${known > 0 ? `, ${known} known failures` : ''}.`
