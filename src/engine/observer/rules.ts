/** The rules for clients, with their clauses: the table that findings refer to. An id never changes its meaning. */
import { toClause, type Clause, type ClauseRef } from '../eras/faults.js'
import type { EraName } from '../eras/era.js'

/** A rule for clients: its level, where the specification has it, and what it asks in one sentence. */
export interface ClientRule {
  level: 'MUST' | 'SHOULD'
  /** The clause in each era; absent where the era has no such rule. */
  legacy?: ClauseRef
  modern?: ClauseRef
  sentence: string
}

const OLD = 'basic/transports'
const NEW = 'basic/transports/streamable-http'
const TASKS = 'seps/2663-tasks-extension'
const MRTR = ['basic/patterns/mrtr', 'client-requirements-basic-workflow'] as const

/* eslint-disable @stylistic/max-len -- a table, one rule per line */
export const RULES = {
  'accept-incomplete': { level: 'MUST', legacy: [OLD, 'sending-messages-to-the-server'], modern: [NEW, 'sending-messages'], sentence: 'The Accept header of a POST lists both application/json and text/event-stream.' },
  'accept-no-stream': { level: 'MUST', legacy: [OLD, 'listening-for-messages-from-the-server'], sentence: 'The Accept header of a GET lists text/event-stream.' },
  'content-type-wrong': { level: 'MUST', legacy: [OLD, 'sending-messages-to-the-server'], modern: [NEW, 'sending-messages'], sentence: 'The body of a POST is JSON, and its Content-Type says so.' },
  'http-method-wrong': { level: 'MUST', legacy: [OLD, 'sending-messages-to-the-server'], modern: [NEW, 'sending-messages'], sentence: 'Messages are sent by POST; no HTTP method but POST, GET and DELETE means anything here.' },
  'authorization-lost': { level: 'MUST', legacy: ['basic/authorization', 'token-requirements'], sentence: 'Every request carries the Authorization header, also those of a session that was opened with one.' },
  'token-in-query': { level: 'MUST', legacy: ['basic/authorization', 'token-requirements'], modern: ['basic/authorization', 'token-requirements'], sentence: 'An access token is in the Authorization header, never in the query.' },

  'body-not-json': { level: 'MUST', legacy: ['basic', 'messages'], modern: ['basic', 'messages'], sentence: 'The body is JSON in UTF-8.' },
  'message-malformed': { level: 'MUST', legacy: ['basic', 'messages'], modern: ['basic', 'messages'], sentence: 'The body is a JSON-RPC 2.0 message: a request, a notification or a response.' },
  'batch-sent': { level: 'MUST', legacy: [OLD, 'sending-messages-to-the-server'], modern: [NEW, 'sending-messages'], sentence: 'The body is a single message; only revision 2025-03-26 has batches.' },
  'id-null': { level: 'MUST', legacy: ['basic', 'requests'], modern: ['basic', 'requests'], sentence: 'The id of a request is a string or an integer, never null.' },
  'id-reused': { level: 'MUST', legacy: ['basic', 'requests'], sentence: 'The id of a request has not been used before in the same session.' },
  'id-in-use': { level: 'MUST', modern: ['basic', 'requests'], sentence: 'The id of a request is not that of another request that still waits for its response.' },
  'notification-with-id': { level: 'MUST', legacy: ['basic', 'notifications'], modern: ['basic', 'notifications'], sentence: 'A notification has no id.' },
  'method-unknown': { level: 'MUST', legacy: ['basic/lifecycle', 'operation'], modern: ['server/discover', 'response'], sentence: 'A client calls only the methods of the revision it speaks and of the capabilities that the server declared.' },
  'cursor-invented': { level: 'MUST', legacy: ['server/utilities/pagination', 'implementation-guidelines'], modern: ['server/utilities/pagination', 'implementation-guidelines'], sentence: 'A cursor is sent back as the server gave it: it is neither made nor altered.' },
  'progress-token-type': { level: 'MUST', legacy: ['basic/utilities/progress', 'progress-flow'], modern: ['basic/patterns/progress', 'progress-flow'], sentence: 'A progress token is a string or an integer.' },
  'progress-token-reused': { level: 'MUST', legacy: ['basic/utilities/progress', 'progress-flow'], modern: ['basic/patterns/progress', 'progress-flow'], sentence: 'A progress token is unique among the requests that are under way.' },

  'before-handshake': { level: 'MUST', legacy: ['basic/lifecycle', 'initialization'], sentence: 'The first request of a conversation is initialize.' },
  'initialize-incomplete': { level: 'MUST', legacy: ['basic/lifecycle', 'initialization'], sentence: 'initialize carries protocolVersion, capabilities, and clientInfo with a name and a version.' },
  'initialize-with-session': { level: 'MUST', legacy: [OLD, 'session-management'], sentence: 'initialize opens a new session and is sent without a session id.' },
  'initialize-cancelled': { level: 'MUST', legacy: ['basic/utilities/cancellation', 'behavior-requirements'], sentence: 'initialize is not cancelled.' },
  'initialized-missing': { level: 'MUST', legacy: ['basic/lifecycle', 'initialization'], sentence: 'After initialize was answered, notifications/initialized comes before any request but ping.' },
  'session-lost': { level: 'MUST', legacy: [OLD, 'session-management'], sentence: 'Every request after initialize carries the Mcp-Session-Id that the server gave.' },
  'session-not-renewed': { level: 'MUST', legacy: [OLD, 'session-management'], sentence: 'A session that has ended, or that was answered 404, is used no more: the client calls initialize again.' },
  'session-not-ended': { level: 'SHOULD', legacy: [OLD, 'session-management'], sentence: 'A session that is no longer needed is ended by DELETE. (It was listened to, was let go, and nothing came for an hour.)' },
  'protocol-version-missing': { level: 'MUST', legacy: [OLD, 'protocol-version-header'], modern: [NEW, 'protocol-version-header'], sentence: 'Every request but initialize carries the MCP-Protocol-Version header.' },
  'protocol-version-mismatch': { level: 'MUST', legacy: [OLD, 'protocol-version-header'], modern: [NEW, 'protocol-version-header'], sentence: 'The MCP-Protocol-Version header names the version that was negotiated, in 2026-07-28 that of the body\'s _meta.' },
  'version-not-negotiated': { level: 'SHOULD', modern: ['basic/versioning', 'protocol-version-negotiation'], sentence: 'After its version was refused, a client chooses one of those that the server named.' },

  'response-undeclared': { level: 'MUST', legacy: ['basic/lifecycle', 'operation'], sentence: 'A client that declared no capability was asked nothing, and has nothing to answer.' },
  'response-malformed': { level: 'MUST', legacy: ['basic', 'responses'], sentence: 'The response to a request of the server has the result that its method asks for, or an error.' },
  'request-unanswered': { level: 'MUST', legacy: ['basic', 'responses'], sentence: 'A request of the server is answered, by a result or an error.' },
  'notification-undeclared': { level: 'MUST', legacy: ['client/roots', 'capabilities'], sentence: 'notifications/roots/list_changed comes only from a client that declared roots with listChanged.' },

  'meta-incomplete': { level: 'MUST', modern: ['basic', 'meta'], sentence: 'Each request carries protocolVersion and clientCapabilities in params._meta.' },
  'client-info-missing': { level: 'SHOULD', modern: ['basic', 'meta'], sentence: 'Each request names its client by clientInfo in params._meta.' },
  'capability-undeclared': { level: 'MUST', modern: ['basic', 'meta'], sentence: 'Methods of an extension are called with that extension in the declared capabilities.' },
  'mcp-method-missing': { level: 'MUST', modern: [NEW, 'standard-request-headers'], sentence: 'Each request carries its method in the Mcp-Method header.' },
  'mcp-method-mismatch': { level: 'MUST', modern: [NEW, 'standard-request-headers'], sentence: 'The Mcp-Method header agrees with the body.' },
  'mcp-name-missing': { level: 'MUST', modern: [NEW, 'standard-request-headers'], sentence: 'A request for a tool, a prompt, a resource or a task carries its name, URI or id in the Mcp-Name header.' },
  'mcp-name-mismatch': { level: 'MUST', modern: [NEW, 'standard-request-headers'], sentence: 'The Mcp-Name header agrees with the body, and is plain ASCII or marked Base64.' },
  'mcp-param-wrong': { level: 'MUST', modern: [NEW, 'client-behavior'], sentence: 'Arguments that a tool\'s schema marks with x-mcp-header are mirrored into Mcp-Param headers that agree with the body.' },
  'response-in-modern': { level: 'MUST', modern: [NEW, 'sending-messages'], sentence: 'A client sends requests and notifications, never responses.' },
  'cancelled-in-modern': { level: 'SHOULD', modern: ['basic/patterns/cancellation', 'transport-specific-cancellation'], sentence: 'A request is taken back by closing its stream; no notifications/cancelled is expected over HTTP.' },
  'legacy-mechanism': { level: 'SHOULD', modern: [NEW, 'earlier-streamable-http-revisions'], sentence: 'GET, DELETE, Mcp-Session-Id and Last-Event-ID are not part of this revision.' },
  'input-missing': { level: 'MUST', modern: MRTR, sentence: 'A request that was answered input_required is sent again with inputResponses, not as it was before: its resultType was ignored.' },
  'input-required-ignored': { level: 'SHOULD', modern: MRTR, sentence: 'An input_required result is no final result: the request is retried with the input. (Nothing came for ten minutes.)' },
  'request-state-not-echoed': { level: 'MUST', modern: MRTR, sentence: 'The retry carries the requestState exactly as the server gave it.' },
  'request-state-elsewhere': { level: 'MUST', modern: MRTR, sentence: 'A requestState belongs to the retry of its own request and to no other.' },
  'retry-id-reused': { level: 'MUST', modern: MRTR, sentence: 'The retry has another id than the request it repeats.' },
  'task-ignored': { level: 'SHOULD', modern: [TASKS, 'task-polling'], sentence: 'A task is no final result: the client asks for it by tasks/get until it has ended. (Nothing came for ten minutes.)' }
} as const satisfies Record<string, ClientRule>
/* eslint-enable @stylistic/max-len */

/** The id of a rule, such as `id-reused`. It never changes its meaning. */
export type RuleId = keyof typeof RULES

/** The rules by which an observer judges clients. */
export const CLIENT_RULES: Readonly<Record<RuleId, ClientRule>> = RULES

/** Returns a rule as a finding shows it, with the clause of the era in which it was broken. */
export const ruleFor = (id: RuleId, era: EraName): { level: ClientRule['level'], sentence: string, spec: Clause } => {
  const rule: ClientRule = RULES[id]
  const where = rule[era] ? era : era === 'legacy' ? 'modern' : 'legacy'
  return { level: rule.level, sentence: rule.sentence, spec: toClause(rule[where]!, where) }
}
