/** What the linter found in the traffic of a server, as checks of a report. */
import { CLIENT_RULES, type ObservedClient, type RuleId } from '../engine/engine.js'
import { keysOf } from '../lib/json/json-object.js'
import { pluralize } from '../lib/text/text.js'
import { ruleCheck } from './grade/clauses.js'
import { createRedactor, type Redactor } from './redact.js'
import { RULE_OUTCOMES, type Check } from './reports/report.js'

export const NOTE_ON_OBSERVATIONS =
  'A rule passes for a client when nothing that the client sent broke it; whether the client did what the rule is ' +
  'about is not known. grade says so.'

const isModern = (revision: string): boolean => revision >= '2026-07-28'

/** One check for each rule and client. A rule of an era in which the client never spoke is not exercised. */
export const observationChecks = (clients: readonly ObservedClient[]): Check[] => {
  const redactor = createRedactor()
  return clients.flatMap((client) => keysOf(CLIENT_RULES).map((id) => toCheck(client, id, redactor)))
}

const toCheck = (client: ObservedClient, id: RuleId, redactor: Redactor): Check => {
  const { legacy, modern } = CLIENT_RULES[id]
  const findings = client.findings.filter((finding) => finding.rule === id)
  const { revisions } = client
  const applies = revisions.length === 0 || (legacy !== undefined && !revisions.every(isModern)) ||
    (modern !== undefined && revisions.some(isModern))
  const status = findings.length > 0 ? 'failed' : applies ? 'passed' : 'not-exercised'
  return {
    ...ruleCheck(id, redactor.text(nameOf(client)), [], redactor),
    status,
    outcome: status === 'passed' ? 'not violated' : RULE_OUTCOMES[status],
    detail: status === 'passed'
      ? `${client.exchanges} exchanges of this client`
      : findings.map(({ count, detail, last_at: at, request_id: request }) =>
        redactor.text(`${pluralize(count, 'time')}, last at ${at} in request ${request}: ${detail}`)).join('; ')
  }
}

/** The name and version that a client declares; what is known of one that declares none. */
export const nameOf = (
  { name, version, user_agent: agent }: Pick<ObservedClient, 'name' | 'version' | 'user_agent'>, separator = ' '
): string => name === null
  ? `unnamed (${agent ?? 'no user agent'})`
  : [name, version].filter((part) => part !== null).join(separator)
