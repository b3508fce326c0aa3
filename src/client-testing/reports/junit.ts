/** The report as JUnit XML, as CI systems read it: valid by the schema of Jenkins' xUnit plugin. */
import { failuresFor, groupsOf, type Check, type Report } from './report.js'
import { element, escapeXml } from './xml.js'

export const toJunit = (report: Report): string => {
  const { command, subject, started_at: startedAt, duration_ms: durationMs, checks } = report
  const counted = new Set(failuresFor(report))
  const isFailure = (check: Check): boolean => counted.has(check)
  const suites = groupsOf(checks).map(([group, own]) => element('testsuite', {
    name: `${command}: ${group}`,
    tests: own.length,
    failures: own.filter(isFailure).length,
    errors: 0,
    skipped: own.filter((check) => !isFailure(check) && check.status !== 'passed').length,
    timestamp: startedAt.slice(0, 19)
  }, own.map((check) => `\n    ${testcase(check, isFailure(check))}`).join('')))
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', {
    name: `${command}: ${subject}`,
    time: (durationMs / 1000).toFixed(3),
    tests: checks.length,
    failures: counted.size,
    errors: 0
  }, `${suites.map((suite) => `\n  ${suite}`).join('')}\n`)}\n`
}

const testcase = (check: Check, counts: boolean): string => {
  const { id, group, status, known, level, outcome, detail } = check
  const skipped = known
    ? `known failure: ${outcome}`
    : status === 'failed' ? `${outcome}, which --fail-on leaves out: ${detail}` : detail || 'not exercised'
  const message = detail === '' ? outcome : `${outcome}: ${detail}`
  const content = counts
    ? element('failure', { message, type: level }, escapeXml(textOf(check)))
    : status === 'passed' ? '' : element('skipped', { message: skipped })
  return element('testcase', { name: `${id} (${level})`, classname: group.replaceAll('.', ' ') }, content)
}

const textOf = ({ title, detail, clauses, exchanges, reproduce }: Check): string =>
  [
    title,
    detail,
    ...clauses.map(({ url }) => `Clause: ${url}`),
    ...exchanges.map((exchange) => `Exchange ${exchange.number}: ${JSON.stringify(exchange).slice(0, MAX_EXCHANGE)}`),
    ...(reproduce === undefined ? [] : [`Reproduce: ${reproduce}`])
  ].filter(Boolean).join('\n')

const MAX_EXCHANGE = 4000
