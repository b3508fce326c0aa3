/** The report for a terminal: failures with their clauses, then the counts. */
import { groupsOf, MARKS, STATUS_WORDS, STATUSES, type Check, type Report } from './report.js'

/** With `all`, passed checks too. The caller escapes control characters. */
export const toText = ({ subject, checks, summary, notes }: Report, { all = false } = {}): string => {
  const sections = groupsOf(checks).flatMap(([group, own]) => [
    `${group}: ${STATUSES.map((status) =>
      `${own.filter((check) => check.status === status).length} ${STATUS_WORDS[status]}`).join(', ')}`,
    ...own.filter(({ status }) => all || status === 'failed').flatMap(linesOf)
  ])
  return [subject, '', ...sections, '', totalOf(summary), ...notes.map((note) => `Note: ${note}`)].join('\n')
}

const linesOf = (
  { id, level, status, title, outcome, detail, clauses, exchanges, reproduce, known }: Check
): string[] => [
  `  ${MARKS[status]} ${id} (${level}): ${outcome}${known ? ' – known, from the baseline' : ''}`,
  `      ${title}`,
  ...detail.split('\n').filter(Boolean).map((line) => `      ${line}`),
  ...clauses.map(({ url }) => `      ${url}`),
  ...exchanges.slice(0, status === 'failed' ? 2 : 0).map(({ number, method, url, status: code, body }) =>
    `      exchange ${number}: ${method} ${url} → ${code} ${JSON.stringify(body ?? '').slice(0, 160)}`),
  ...(status === 'failed' && reproduce !== undefined ? [`      Reproduce: ${reproduce}`] : [])
]

export const totalOf = ({ passed, failed, 'not-exercised': idle, known }: Report['summary']): string =>
  `${passed} passed, ${failed} failed, ${idle} not exercised${known > 0 ? `, ${known} known failures` : ''}.`
