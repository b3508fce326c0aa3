/** The report as JUnit XML, as CI systems read it: valid by the schema of Jenkins' xUnit plugin. */
import type { Check, Report } from './report.js'
import { element, escapeXml } from './xml.js'

/** Returns the XML. One test suite for each group; known failures are skipped, with the reason. */
export const toJunit = ({
  command,
  subject,
  started_at: startedAt,
  duration_ms: durationMs,
  checks
}: Report): string => {
  const groups = [...new Set(checks.map(({ group }) => group))]
  const suites = groups.map((group) => {
    const own = checks.filter((check) => check.group === group)
    return element(
      'testsuite',
      {
        name: `${command}: ${group}`,
        tests: own.length,
        failures: own.filter(isFailure).length,
        errors: 0,
        skipped: own.filter((check) => !isFailure(check) && check.status !== 'passed').length,
        timestamp: startedAt.slice(0, 19)
      },
      own.map((check) => `\n    ${testcase(check)}`).join('')
    )
  })
  const failures = checks.filter(isFailure).length
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    'testsuites',
    {
      name: `${command}: ${subject}`,
      time: (durationMs / 1000).toFixed(3),
      tests: checks.length,
      failures,
      errors: 0
    },
    `${suites.map((suite) => `\n  ${suite}`).join('')}\n`
  )}\n`
}

const isFailure = ({ status, known }: Check): boolean => status === 'failed' && known !== true

const testcase = (check: Check): string => {
  const { id, group, status, known, level, outcome, detail } = check
  const content = isFailure(check)
    ? element(
      'failure',
      { message: `${outcome}${detail === '' ? '' : `: ${detail}`}`, type: level },
      escapeXml(textOf(check))
    )
    : known
      ? element('skipped', { message: `known failure: ${outcome}` })
      : status === 'not-exercised'
        ? element('skipped', { message: detail === '' ? 'not exercised' : detail })
        : ''
  return element('testcase', { name: `${id} (${level})`, classname: group.replaceAll('.', ' ') }, content)
}

const textOf = ({ title, detail, clauses, exchanges, reproduce }: Check): string =>
  [
    title,
    detail,
    ...clauses.map(({ url }) => `Clause: ${url}`),
    ...exchanges.map((exchange) => `Exchange ${exchange.number}: ${JSON.stringify(exchange).slice(0, MAX_EXCHANGE)}`),
    ...(reproduce === undefined ? [] : [`Reproduce: ${reproduce}`])
  ]
    .filter(Boolean)
    .join('\n')

const MAX_EXCHANGE = 4000
