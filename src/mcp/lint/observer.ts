/** Looks on at exchanges and keeps, per client, what the client does wrong. What it remembers is bounded; what it keeps holds no secret. */
import { clientNamed } from '../client-info.js'
import { isObject } from '../jsonrpc/parse.js'
import type { Onlooker } from '../traffic/wire-exchange.js'
import { remember } from '../../lib/lru.js'
import { clientBook, type Heard, type ObservedClient } from './client-registry.js'
import type { Caller, Say } from './reporter.js'
import { checkLegacy, conversationOf, type LegacyMemory } from './legacy-checks.js'
import { checkModern } from './modern-checks.js'
import { checkMessages, checkTransport } from './request-checks.js'
import { newRounds, overdue } from './pending-continuations.js'
import { digest, seenIn, type Seen } from './parsed-exchange.js'

export interface Observer {
  look: Onlooker
  report (): ObservedClient[]
}

export interface ObserverOptions {
  heard?: Heard
  /** Told of an exchange that could not be looked at. */
  failed?: (error: unknown) => void
  now?: () => number
}

const MOST_CALLERS = 1000
const QUIET_MS = 3_600_000

export const observer = ({ heard = () => {}, failed = () => {}, now = Date.now }: ObserverOptions = {}): Observer => {
  const book = clientBook(heard)
  const callers = new Map<string, Caller>()
  const legacy: LegacyMemory = { conversations: new Map() }
  const rounds = newRounds()

  const callerOf = (seen: Seen): Caller => {
    const agent = seen.header('user-agent')
    const key = digest([seen.credential, agent])
    const declared = clientIn(seen)
    const known = callers.get(key)
    const client = declared?.name === undefined
      ? conversationOf(legacy, seen)?.client ?? known?.client ?? book.entryOf({}, agent, seen.at)
      : book.entryOf(declared, agent, seen.at)
    const caller = known ?? { key, client, shaken: false, session: undefined, refusedVersions: new Set() }
    caller.client = client
    return remember(callers, key, caller, MOST_CALLERS)
  }

  const look = (seen: Seen): void => {
    const caller = callerOf(seen)
    caller.client.exchanges++
    caller.client.last_at = new Date(seen.end).toISOString()
    const say: Say = (rule, detail) => book.say(caller.client, { rule, era: seen.era, at: seen.at, requestId: seen.requestId, detail })
    checkTransport(seen, say)
    checkMessages(seen, say)
    if (seen.era === 'modern') checkModern(rounds, seen, caller, say)
    else checkLegacy(legacy, seen, caller, say)
  }

  /** What is wrong because nothing came. */
  const sweep = (): void => {
    for (const { client, rule, requestId, method, at } of overdue(rounds, now())) book.say(client, { rule, era: 'modern', at, requestId, detail: method })
    for (const [key, { client, goneAt, lastEnd, lastRequest }] of legacy.conversations) {
      if (lastEnd > now() - QUIET_MS || !(lastRequest.listened || goneAt !== undefined)) continue
      legacy.conversations.delete(key)
      if (goneAt === undefined) book.say(client, { rule: 'session-not-ended', era: 'legacy', at: lastEnd, requestId: lastRequest.id, detail: 'GET' })
    }
  }

  return {
    look (exchange) {
      try {
        look(seenIn(exchange))
      } catch (error) {
        failed(error)
      }
    },
    report () {
      sweep()
      return book.all()
    }
  }
}

const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo'

/** What the client says of itself in this request. */
const clientIn = ({ messages }: Seen) => {
  const message = messages?.[0]?.parsed
  if (message?.kind !== 'request') return undefined
  const { clientInfo, _meta: meta } = message.params
  return clientNamed(message.method === 'initialize' ? clientInfo ?? (isObject(meta) ? meta[CLIENT_KEY] : undefined) : isObject(meta) ? meta[CLIENT_KEY] : undefined, {})
}
