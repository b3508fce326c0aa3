/**
 * The verdict on each clause that binds clients, from a run on the correct server: obeyed, violated, or not exercised.
 * The linter finds violations; this file says when a rule could have been broken at all.
 */
import {
  CLIENT_RULES, parseExchange, replyTo, type ObservedClient, type ParsedExchange, type RuleId
} from '../../engine/engine.js'
import { asObject, keysOf, type JsonObject } from '../../lib/json/json-object.js'
import { pluralize } from '../../lib/text/text.js'
import type { Exchange } from '../proxy/exchange.js'
import { toSafeExchange, type Redactor } from '../redact.js'
import { ruleVerdict, type Check } from '../reports/report.js'
import { clausesOf } from '../profiles/profile.js'

type Applies = (exchange: ParsedExchange) => boolean

const parsedIn = ({ messages }: ParsedExchange) => messages?.[0]?.parsed
const paramsIn = (exchange: ParsedExchange): JsonObject => {
  const parsed = parsedIn(exchange)
  return parsed?.kind === 'request' ? parsed.params : {}
}
const both = (...all: Applies[]): Applies => (exchange) => all.every((applies) => applies(exchange))
const kind = (name: string): Applies => (exchange) => parsedIn(exchange)?.kind === name
const method = (...names: string[]): Applies => (exchange) => {
  const parsed = parsedIn(exchange)
  return parsed !== undefined && 'method' in parsed && names.includes(parsed.method)
}
const header = (name: string): Applies => (exchange) => exchange.header(name) !== undefined
const hasParam = (name: string): Applies => (exchange) => paramsIn(exchange)[name] !== undefined
const hasResultType = (type: string): Applies => (exchange) => {
  const parsed = parsedIn(exchange)
  return parsed?.kind === 'request' && replyTo(exchange, parsed.id).result?.['resultType'] === type
}
const isRequest = kind('request')
const isLegacy: Applies = ({ era }) => era === 'legacy'
const isModern: Applies = ({ era }) => era === 'modern'
const hasBody: Applies = ({ method, body }) => method === 'POST' && body !== undefined
const isOpening = method('initialize')
const inSession = both(isLegacy, header('mcp-session-id'))
const hasToken: Applies = (exchange) => asObject(paramsIn(exchange)['_meta'])['progressToken'] !== undefined
const modernRequest = both(isModern, isRequest)
const ofTasks = method('tasks/get', 'tasks/update', 'tasks/cancel')
const ofNamed = method('tools/call', 'prompts/get', 'resources/read')
const namedRequest = both(isModern, (exchange) => ofNamed(exchange) || ofTasks(exchange))
const wasAsked: Applies = ({ replies }) =>
  replies.some((message) => 'id' in message && typeof message['method'] === 'string')
const isSessionEnd: Applies = ({ status, method: verb, era }) =>
  era === 'legacy' && (status === 404 || (verb === 'DELETE' && status < 300))
const refusedVersion: Applies = ({ replies }) => replies.some(({ error }) => asObject(error)['code'] === -32022)

const APPLIES: Record<RuleId, Applies> = {
  'accept-incomplete': hasBody,
  'accept-no-stream': both(isLegacy, ({ method: verb }) => verb === 'GET'),
  'content-type-wrong': hasBody,
  'http-method-wrong': () => true,
  'authorization-lost': inSession,
  'token-in-query': () => true,
  'body-not-json': hasBody,
  'message-malformed': hasBody,
  'batch-sent': hasBody,
  'id-null': isRequest,
  'id-reused': both(inSession, isRequest),
  'id-in-use': modernRequest,
  'notification-with-id': kind('notification'),
  'method-unknown': isRequest,
  'cursor-invented': hasParam('cursor'),
  'progress-token-type': hasToken,
  'progress-token-reused': hasToken,
  'before-handshake': both(isLegacy, isRequest),
  'initialize-incomplete': isOpening,
  'initialize-with-session': isOpening,
  'initialize-cancelled': isOpening,
  'initialized-missing': both(inSession, isRequest),
  'session-lost': both(inSession, isRequest),
  'session-not-renewed': isSessionEnd,
  'session-not-ended': () => false,
  'protocol-version-missing': both(hasBody, (exchange) => exchange.era === 'modern' || inSession(exchange)),
  'protocol-version-mismatch': header('mcp-protocol-version'),
  'version-not-negotiated': refusedVersion,
  'response-undeclared': kind('response'),
  'response-malformed': wasAsked,
  'request-unanswered': wasAsked,
  'notification-undeclared': method('notifications/roots/list_changed'),
  'meta-incomplete': modernRequest,
  'client-info-missing': modernRequest,
  'capability-undeclared': both(isModern, ofTasks),
  'mcp-method-missing': modernRequest,
  'mcp-method-mismatch': modernRequest,
  'mcp-name-missing': namedRequest,
  'mcp-name-mismatch': namedRequest,
  'mcp-param-wrong': both(isModern,
    ({ headers }) => Object.keys(headers).some((name) => name.startsWith('mcp-param-'))),
  'response-in-modern': modernRequest,
  'cancelled-in-modern': both(isModern, kind('notification')),
  'legacy-mechanism': isModern,
  'input-missing': hasResultType('input_required'),
  'input-required-ignored': hasResultType('input_required'),
  'request-state-not-echoed': hasResultType('input_required'),
  'request-state-elsewhere': hasParam('requestState'),
  'retry-id-reused': hasResultType('input_required'),
  'task-ignored': hasResultType('task')
}

const MAX_SHOWN = 3

/** Returns one check for each rule, from the exchanges of one client and what the linter found in them. */
export const clauseChecks = (
  exchanges: readonly Exchange[], clients: readonly ObservedClient[], redactor: Redactor, group: string
): Check[] => {
  const parsed = exchanges.map(parseExchange)
  return keysOf(CLIENT_RULES).map((id): Check => {
    const findings = clients.flatMap(({ findings }) => findings).filter((finding) => finding.rule === id)
    const applying = parsed.filter(APPLIES[id]).length
    const evidence = findings
      .flatMap(({ request_id: requestId }) => exchanges.filter((exchange) => exchange.requestId === requestId))
    return {
      ...ruleCheck(id, group, evidence, redactor),
      ...ruleVerdict(findings.length, applying),
      detail: findings.length === 0 && applying > 0
        ? pluralize(applying, 'exchange')
        : findings.map(({ count, detail }) => `${pluralize(count, 'time')}: ${redactor.text(detail)}`).join('; ')
    }
  })
}

/** What a check of a rule has, whatever came out; it shows the first exchanges. */
export const ruleCheck = (
  id: RuleId, group: string, exchanges: readonly Exchange[], redactor: Redactor
): Pick<Check, 'id' | 'group' | 'title' | 'level' | 'clauses' | 'exchanges'> => {
  const { sentence, level, legacy, modern } = CLIENT_RULES[id]
  return {
    id,
    group,
    title: sentence,
    level,
    clauses: clausesOf({ legacy: legacy?.join('#'), modern: modern?.join('#') }),
    exchanges: exchanges.slice(0, MAX_SHOWN).map((exchange) => toSafeExchange(exchange, redactor))
  }
}
