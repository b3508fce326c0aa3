/** Checks exchanges by the rules for clients. Its memory of the findings is bounded and holds no secrets. */
import { parseClientInfo } from '../client-info.js'
import { isObject } from '../../lib/json/json-object.js'
import type { ExchangeListener } from '../traffic/wire-exchange.js'
import { lruSet } from '../../lib/lru.js'
import { CLIENT_KEY } from '../eras/modern/envelope.js'
import { clientRegistry, type OnFirstFinding, type ObservedClient } from './client-registry.js'
import type { ObservedCaller, ReportFinding } from './observed-state.js'
import { checkLegacy, sessionStateOf, type LegacySessions } from './legacy-checks.js'
import { checkInUse, checkModern } from './modern-checks.js'
import { checkMessages, checkTransport } from './request-checks.js'
import { PendingContinuations } from './pending-continuations.js'
import { digest, parseExchange, type ParsedExchange } from './parsed-exchange.js'

/** Judges clients by what they send. */
export interface Observer {
  /** Takes one exchange. Never throws: it may be an exchange listener of the server. */
  record: ExchangeListener
  report (): ObservedClient[]
}

/** What an observer calls, and its clock in milliseconds since the epoch. */
export interface ObserverOptions {
  onFirstFinding?: OnFirstFinding
  /** Called with the error when an exchange could not be checked. */
  onError?: (error: unknown) => void
  now?: () => number
  /**
   * Whether all requests with one credential and user agent come from one process. Where several clients may share
   * them, ids and progress tokens of requests that overlap are not judged in the modern era.
   */
  oneClient?: boolean
}

const MAX_CALLERS = 1000
const QUIET_MS = 3_600_000

/** Creates the observer. */
export const createObserver = (
  { onFirstFinding = () => {}, onError = () => {}, now = Date.now, oneClient = false }: ObserverOptions = {}
): Observer => {
  const registry = clientRegistry(onFirstFinding)
  const callers = new Map<string, ObservedCaller>()
  const sessions: LegacySessions = new Map()
  const continuations = new PendingContinuations()

  const findCaller = (exchange: ParsedExchange): ObservedCaller => {
    const agent = exchange.header('user-agent')
    const key = digest([exchange.credential, agent])
    const declared = clientIn(exchange)
    const existing = callers.get(key)
    const client = declared?.name === undefined
      ? sessionStateOf(sessions, exchange)?.client ?? existing?.client ?? registry.findOrCreate({}, agent, exchange.at)
      : registry.findOrCreate(declared, agent, exchange.at)
    const caller = existing ?? {
      key,
      client,
      handshakeDone: false,
      session: undefined,
      refusedVersions: new Set<string>(),
      ids: new Map(),
      tokens: new Map()
    }
    caller.client = client
    return lruSet(callers, key, caller, MAX_CALLERS)
  }

  const look = (exchange: ParsedExchange): void => {
    const caller = findCaller(exchange)
    caller.client.exchanges++
    caller.client.last_at = new Date(exchange.end).toISOString()
    const { at, era, requestId } = exchange
    const report: ReportFinding = (rule, detail) =>
      registry.report(caller.client, { rule, era, at, requestId, detail })
    checkTransport(exchange, report)
    checkMessages(exchange, report)
    if (era === 'modern') {
      checkModern(continuations, exchange, caller, report)
      if (oneClient) checkInUse(exchange, caller, report)
    } else checkLegacy(sessions, exchange, caller, report)
  }

  /** Reports the rules that are broken because an expected request did not come in time. */
  const sweep = (): void => {
    for (const { client, rule, requestId, method: detail, at } of continuations.overdue(now())) {
      registry.report(client, { rule, era: 'modern', at, requestId, detail })
    }
    for (const [key, { client, goneAt, lastEnd, lastRequest }] of sessions) {
      if (lastEnd > now() - QUIET_MS || !(lastRequest.listened || goneAt !== undefined)) continue
      sessions.delete(key)
      if (goneAt !== undefined) continue
      const { id: requestId } = lastRequest
      registry.report(client, { rule: 'session-not-ended', era: 'legacy', at: lastEnd, requestId, detail: 'GET' })
    }
  }

  return {
    record (exchange) {
      try {
        look(parseExchange(exchange))
      } catch (error) {
        onError(error)
      }
    },
    report () {
      sweep()
      return registry.all()
    }
  }
}

const clientIn = ({ messages }: ParsedExchange) => {
  const message = messages?.[0]?.parsed
  if (message?.kind !== 'request') return undefined
  const { clientInfo, _meta: meta } = message.params
  const inMeta = isObject(meta) ? meta[CLIENT_KEY] : undefined
  return parseClientInfo(message.method === 'initialize' ? clientInfo ?? inMeta : inMeta, {})
}
