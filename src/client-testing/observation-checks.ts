/** What the linter found in the traffic of a server, as checks of a report. */
import { CLIENT_RULES, type ClientRule, type ObservedClient, type RuleFinding } from '../engine/engine.js'
import { createRedactor, type Redactor } from './redact.js'
import { toClause, type Check } from './reports/report.js'

/** What a reader of these checks has to know. */
export const NOTE_ON_OBSERVATIONS =
  'A rule passes for a client when nothing that the client sent broke it; whether the client did what the rule is ' +
  'about is not known. grade says so.'

const LATEST_LEGACY = '2025-11-25'
const LATEST_MODERN = '2026-07-28'
const isModern = (revision: string): boolean => revision >= LATEST_MODERN

/** Returns one check for each rule and client. A rule of an era in which the client never spoke is not exercised. */
export const observationChecks = (clients: readonly ObservedClient[]): Check[] => {
  const redactor = createRedactor()
  return clients.flatMap((client) =>
    Object.entries(CLIENT_RULES).map(([id, rule]) => toCheck(client, id, rule, redactor)))
}

const toCheck = (client: ObservedClient, id: string, rule: ClientRule, redactor: Redactor): Check => {
  const findings = client.findings.filter((finding) => finding.rule === id)
  const { revisions } = client
  const applies = revisions.length === 0 || (rule.legacy !== undefined && !revisions.every(isModern)) ||
    (rule.modern !== undefined && revisions.some(isModern))
  const status = findings.length > 0 ? 'failed' : applies ? 'passed' : 'not-exercised'
  return {
    id,
    group: redactor.text(nameOf(client)),
    title: rule.sentence,
    level: rule.level,
    status,
    clauses: [
      ...rule.legacy ? [toClause(LATEST_LEGACY, rule.legacy.join('#'))] : [],
      ...rule.modern ? [toClause(LATEST_MODERN, rule.modern.join('#'))] : []
    ],
    outcome: { failed: 'violated', passed: 'not violated', 'not-exercised': 'not exercised' }[status],
    detail: findings.length > 0
      ? findings.map((finding) => redactor.text(sentenceOn(finding))).join('; ')
      : status === 'passed' ? `${client.exchanges} exchanges of this client` : '',
    exchanges: []
  }
}

const sentenceOn = ({ count, detail, last_at: at, request_id: request }: RuleFinding): string =>
  `${count} ${count === 1 ? 'time' : 'times'}, last at ${at} in request ${request}: ${detail}`

const nameOf = ({ name, version, user_agent: agent }: ObservedClient): string =>
  name === null ? `unnamed (${agent ?? 'no user agent'})` : [name, version].filter((part) => part !== null).join(' ')
