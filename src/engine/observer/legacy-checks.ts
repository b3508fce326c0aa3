/** The rules of a legacy conversation: its handshake, its session, and the order of its messages. */
import { isInputResponse } from '../input-request.js'
import { supports, hasBatches, isLegacyRevision, type LegacyRevision } from '../revisions.js'
import { isObject, keysOf } from '../../lib/json/json-object.js'
import type { Message, Request, Response } from '../jsonrpc/message.js'
import type { InputRequest } from '../request-context.js'
import { lruSet } from '../../lib/lru.js'
import {
  newLegacySessionState, type AnswerKind, type AnswerSummary, type Declared, type LegacySessionState,
  type ObservedCaller, type ReportFinding
} from './observed-state.js'
import { checkToken } from './request-checks.js'
import { digest, methodNameOf, replyTo, type ParsedExchange } from './parsed-exchange.js'

/** By the digest of the session id. */
export type LegacySessions = Map<string, LegacySessionState>

/** At most 200 ids, tokens and answers of each, at about 150 bytes: 30 MB for all of them. */
const MAX_SESSIONS = 1000
const MAX_IDS = 100
const MAX_ANSWERS = 50

export const sessionStateOf = (sessions: LegacySessions, exchange: ParsedExchange): LegacySessionState | undefined => {
  const id = exchange.header('mcp-session-id')
  return id === undefined ? undefined : sessions.get(digest(id))
}

export const checkLegacy = (
  sessions: LegacySessions, exchange: ParsedExchange, caller: ObservedCaller, report: ReportFinding
): void => {
  const messages = (exchange.messages ?? []).flatMap(({ parsed }) => parsed.kind === 'fault' ? [] : [parsed])
  const handshake = exchange.isBatch
    ? undefined
    : messages.find((message): message is Request => message.kind === 'request' && message.method === 'initialize')
  if (handshake) return checkHandshake(sessions, exchange, handshake, caller, report)
  const sessionState = findSession(sessions, exchange, caller, report)
  const revision = sessionState?.revision
  if (exchange.isBatch && (revision ? !hasBatches(revision) : exchange.status === 400)) {
    report('batch-sent', `${exchange.messages?.length} messages`)
  }
  if (!sessionState) return
  checkVersion(exchange, sessionState, report)
  for (const message of messages) checkMessage(exchange, message, sessionState, report)
  checkServerRequests(exchange, sessionState, report)
}

const checkHandshake = (
  sessions: LegacySessions, exchange: ParsedExchange, { id, params }: Request, caller: ObservedCaller,
  report: ReportFinding
): void => {
  const { clientInfo: info, capabilities, protocolVersion: version } = params
  if (exchange.header('mcp-session-id') !== undefined) report('initialize-with-session', 'initialize')
  const named = isObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string'
  if (!named || !isObject(capabilities) || typeof version !== 'string') {
    report('initialize-incomplete', Object.keys(params).join(', '))
  }
  const { result } = replyTo(exchange, id)
  if (!result) return
  const { protocolVersion: revision } = result
  if (!isLegacyRevision(revision)) return
  if (!caller.client.revisions.includes(revision)) caller.client.revisions.push(revision)
  const sessionState = newLegacySessionState(caller.client, {
    revision,
    declared: declaredIn(isObject(capabilities) ? capabilities : {}),
    initializeId: digest(id),
    lastEnd: exchange.end,
    lastRequest: { id: exchange.requestId, listened: false },
    ids: new Map([[digest(id), true]])
  })
  const session = exchange.replyHeaders['mcp-session-id']
  caller.handshakeDone = true
  caller.session = typeof session === 'string' ? sessionState : undefined
  if (typeof session !== 'string') return
  caller.client.sessions.opened++
  lruSet(sessions, digest(session), sessionState, MAX_SESSIONS)
}

/** Returns the state of the session that an exchange names, and reports what is wrong with how it names it. */
const findSession = (
  sessions: LegacySessions, exchange: ParsedExchange, caller: ObservedCaller, report: ReportFinding
): LegacySessionState | undefined => {
  const { method, status, header } = exchange
  const id = header('mcp-session-id')
  if (id === undefined) {
    if (caller.session) report('session-lost', method)
    else if (!caller.handshakeDone && exchange.messages?.some(({ parsed }) => parsed.kind !== 'fault')) {
      report('before-handshake', methodNameOf(exchange))
    }
    return undefined
  }
  if (exchange.credential === undefined) return undefined
  const key = digest(id)
  const existing = sessions.get(key)
  // The session may be older than this process. Steps that it could not observe count as done.
  const sessionState = lruSet(sessions, key, existing ??
    newLegacySessionState(caller.client, { initializedAt: 0, revision: versionIn(exchange) }), MAX_SESSIONS)
  if (sessionState.goneAt !== undefined && exchange.at > sessionState.goneAt) {
    report('session-not-renewed', methodNameOf(exchange))
  }
  const ended = method === 'DELETE' && status < 300
  if (ended) sessionState.client.sessions.ended++
  if (status === 404 || ended) {
    sessionState.goneAt ??= exchange.end
    if (caller.session === sessionState) caller.session = undefined
  }
  sessionState.lastEnd = Math.max(sessionState.lastEnd, exchange.end)
  sessionState.lastRequest = { id: exchange.requestId, listened: method === 'GET' && status === 200 }
  return status === 404 ? undefined : sessionState
}

const checkVersion = (exchange: ParsedExchange, { revision }: LegacySessionState, report: ReportFinding): void => {
  if (revision === undefined || !supports(revision, 'versionHeader')) return
  const header = exchange.header('mcp-protocol-version')
  if (header === undefined) report('protocol-version-missing', methodNameOf(exchange))
  else if (header !== revision) report('protocol-version-mismatch', `${header} instead of ${revision}`)
}

const checkMessage = (
  exchange: ParsedExchange, message: Message, sessionState: LegacySessionState, report: ReportFinding
): void => {
  const { declared, initializeId, ids, tokens, answers } = sessionState
  if (message.kind === 'response') {
    if (declared && !declared.answersRequests) report('response-undeclared', String(message.id))
    else lruSet(answers, digest(message.id), summaryOf(message), MAX_ANSWERS)
    return
  }
  const { method, params } = message
  if (message.kind === 'notification') {
    if (method === 'notifications/initialized') sessionState.initializedAt ??= exchange.at
    if (method === 'notifications/cancelled' && initializeId !== undefined &&
      digest(params['requestId']) === initializeId) report('initialize-cancelled', method)
    if (method === 'notifications/roots/list_changed' && declared && !declared.rootsListChanged) {
      report('notification-undeclared', method)
    }
    return
  }
  if (method.startsWith('notifications/')) return
  const late = sessionState.initializedAt === undefined || sessionState.initializedAt > exchange.at
  if (late && method !== 'ping') report('initialized-missing', method)
  const id = digest(message.id)
  if (ids.has(id)) report('id-reused', `${method}, id ${JSON.stringify(message.id)}`)
  lruSet(ids, id, true, MAX_IDS)
  checkToken(tokens, message, exchange, report)
}

/** When the server has sent its result, the client must have answered all requests that the server sent before it. */
const checkServerRequests = (
  exchange: ParsedExchange, { answers }: LegacySessionState, report: ReportFinding
): void => {
  const over = exchange.replies.some((message) => !('method' in message) && ('result' in message || 'error' in message))
  if (!over) return
  for (const { id, method, params } of exchange.replies) {
    if (id === undefined || typeof method !== 'string') continue
    const answer = answers.get(digest(id))
    answers.delete(digest(id))
    if (!answer) report('request-unanswered', method)
    else if (!answer.isError && method !== 'ping' && !answer.fits.has(kindOf(method, params))) {
      report('response-malformed', method)
    }
  }
}

/** The requests that a server may send to a client, one of each kind. Any other request counts as sampling. */
const ASKED: Record<AnswerKind, InputRequest> = {
  form: { method: 'elicitation/create', params: {} },
  url: { method: 'elicitation/create', params: { mode: 'url' } },
  sampling: { method: 'sampling/createMessage', params: {} },
  roots: { method: 'roots/list', params: {} }
}

const kindOf = (method: string, params: unknown): AnswerKind => {
  if (method === 'elicitation/create') return isObject(params) && params['mode'] === 'url' ? 'url' : 'form'
  return method === 'roots/list' ? 'roots' : 'sampling'
}

const summaryOf = ({ result, error }: Response): AnswerSummary => ({
  isError: error !== undefined, fits: new Set(keysOf(ASKED).filter((kind) => isInputResponse(ASKED[kind], result)))
})

const declaredIn = (capabilities: Readonly<Record<string, unknown>>): Declared => {
  const { roots } = capabilities
  return {
    answersRequests: ['elicitation', 'sampling', 'roots'].some((name) => isObject(capabilities[name])),
    rootsListChanged: isObject(roots) && roots['listChanged'] === true
  }
}

const versionIn = (exchange: ParsedExchange): LegacyRevision | undefined => {
  const header = exchange.header('mcp-protocol-version')
  return isLegacyRevision(header) ? header : undefined
}
