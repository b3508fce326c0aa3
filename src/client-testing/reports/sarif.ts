/** The report as SARIF 2.1.0, as code scanning reads it. */
import { createHash } from 'node:crypto'
import type { Check, Report } from './report.js'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/** Failures that no baseline lists are the only results: code scanning opens an alert for a result of any kind. */
export const toSarif = (
  { tool: { name, version }, command, subject, checks: all, started_at: startedAt, duration_ms: durationMs }: Report
): string => {
  const checks = all.filter(({ status, known }) => status === 'failed' && known !== true)
  const rules = [...new Map(checks.map((check) => [check.id, check])).values()]
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const end = new Date(Date.parse(startedAt) + durationMs).toISOString()
  const run = {
    tool: { driver: { name, version, semanticVersion: version, rules: rules.map(toRule) } },
    automationDetails: { id: `${command}/` },
    invocations: [{ executionSuccessful: true, startTimeUtc: startedAt, endTimeUtc: end }],
    properties: { subject },
    results: checks.map((check) => toResult(check, indexes.get(check.id) ?? 0, subject))
  }
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, undefined, 2)}\n`
}

const levelOf = ({ level }: Check): 'error' | 'warning' => (level === 'MUST' ? 'error' : 'warning')

const toRule = (check: Check) => {
  const { id, title, clauses, level, group } = check
  const [clause] = clauses
  return {
    id,
    shortDescription: { text: title },
    ...(clause && { helpUri: clause.url }),
    help: { text: [title, ...clauses.map(({ url }) => url)].join('\n') },
    defaultConfiguration: { level: levelOf(check) },
    properties: { tags: [level, group] }
  }
}

const toResult = (check: Check, ruleIndex: number, subject: string) => {
  const { id, group, outcome, detail, title, exchanges } = check
  return {
    ruleId: id,
    ruleIndex,
    kind: 'fail',
    level: levelOf(check),
    message: { text: [`${outcome}.`, detail, title].filter(Boolean).join(' ') },
    // Code scanning needs a place; a client under test has no file.
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: 'client-under-test' }, region: { startLine: 1 } },
        logicalLocations: [{ name: subject.slice(0, 200), kind: 'module' }]
      }
    ],
    partialFingerprints: { 'check/v1': createHash('sha256').update(`${group}\n${id}`).digest('hex') },
    ...(exchanges.length > 0 && { properties: { exchanges } })
  }
}
