/** The legacy era: a handshake, then requests that name its session. 2025-11-25 basic/lifecycle */
import type { Bus } from '../../event-bus.js'
import type { CallSession } from '../../request-context.js'
import type { Changes } from '../../subscriptions.js'
import { Fault, Refusal } from '../../../lib/errors.js'
import { has, type LegacyRevision } from '../../revisions.js'
import { errorResponse } from '../../jsonrpc/message.js'
import { MOST_SUBSCRIPTIONS, type SessionNotes } from '../../../db/sql-session-preferences.js'
import type { Answer } from '../../dispatch.js'
import { faultReply } from '../faults.js'
import { headerOf, type Era, type Exchange, type Opened } from '../era.js'
import { requireCapabilities } from '../../input-request.js'
import { progressTokenOf } from '../../progress-token.js'
import type { AskedIds } from './asked-ids.js'
import type { EventLog } from './event-store.js'
import type { EventPositions } from './event-positions.js'
import { negotiate, versionOf } from './handshake.js'
import { endStream } from './stream-ownership.js'
import { listen } from './open-get-stream.js'
import { listeningName } from './change-stream.js'
import { questions } from './server-requests.js'
import { resumable } from './resumable-stream.js'
import { keyOf, type Session, type Sessions } from './session.js'

type Caller = Pick<Exchange, 'headers' | 'principal'>

export interface LegacyEra extends Era {
  /** Whether a request without a session is refused. */
  hasSessions: boolean
  /** The revision that a request outside JSON-RPC's envelope, such as a batch, belongs to. */
  revisionOf (caller: Caller): Promise<LegacyRevision>
  /** The stream that a GET opens. */
  listen (exchange: Exchange): Promise<Answer>
  /** Ends the session: 2025-11-25 basic/transports#session-management. */
  end (caller: Caller): Promise<void>
}

export interface LegacyParts {
  /** The revisions that are served, the oldest first. */
  served: readonly LegacyRevision[]
  /** Without it each request stands alone: nothing is remembered, and the client is asked nothing. */
  sessions: Sessions | undefined
  notes: SessionNotes
  log: EventLog
  /** The places on listening streams. */
  positions: EventPositions
  bus: Bus
  /** What other replicas asked; nothing when absent. */
  askedIds?: AskedIds | undefined
  /** Without it there is nothing to listen to. */
  changes?: Changes | undefined
}

/** Who is speaking: the session under its key, or what is known without one. */
interface Known extends Pick<Session, 'revision' | 'client'> {
  key?: string
  expires?: number
}

// 2025-11-25 basic/transports#protocol-version-header: what a request without session and header speaks
const ASSUMED: LegacyRevision = '2025-03-26'
// 2025-11-25 server/utilities/logging#setting-log-level: without a request of the client the server decides
const DEFAULT_LOG_LEVEL = 'info'

const { error: LOST } = faultReply(new Fault('internal_error', 'The server that worked on this request has gone. Send the request again.'), 'legacy')

export const legacyEra = ({ served, sessions, notes, log, positions, bus, askedIds, changes }: LegacyParts): LegacyEra => {
  const asked = questions(bus, askedIds)

  const known = async ({ headers, principal }: Caller): Promise<Known> => {
    if (!sessions) return { revision: versionOf(headers, served) ?? ASSUMED, client: { capabilities: {} } }
    const id = headerOf(headers, 'mcp-session-id')
    if (id === undefined) {
      throw new Fault('session_required', 'Call initialize first, then send the Mcp-Session-Id header that it answers with every request.')
    }
    const found = await sessions.read(id, principal.credential.id)
    // 2025-11-25 basic/transports#session-management: 404, so that the client starts a new session
    if (!found || !served.includes(found.revision)) {
      throw new Fault('session_not_found', 'This session is unknown or has ended. Call initialize again, without a session id.')
    }
    versionOf(headers, served)
    return { ...found, key: keyOf(id) }
  }

  const remembered = (key: string, expires: number): CallSession => ({
    setLogLevel: (level) => notes.setLogLevel(key, level, expires),
    async subscribe (uri) {
      if (await notes.subscribe(key, uri, expires)) return
      throw new Refusal(`A session watches at most ${MOST_SUBSCRIPTIONS} resources. Unsubscribe from one first.`)
    },
    unsubscribe: (uri) => notes.unsubscribe(key, uri)
  })

  return {
    name: 'legacy',
    hasSessions: sessions !== undefined,

    async open (request, exchange): Promise<Opened> {
      const progressToken = progressTokenOf(request.params['_meta'])
      if (request.method === 'initialize') {
        versionOf(exchange.headers, served)
        const agreed = negotiate(request.params, served)
        const id = sessions?.issue({ ...agreed, credential: exchange.principal.credential.id })
        return { ...agreed, progressToken, ...(id !== undefined && { headers: { 'mcp-session-id': id } }) }
      }
      const { revision, client, key, expires = 0 } = await known(exchange)
      if (key === undefined) return { revision, client, progressToken, logLevel: DEFAULT_LOG_LEVEL }
      return {
        revision,
        client,
        progressToken,
        key,
        credential: exchange.principal.credential.id,
        session: remembered(key, expires),
        logLevel: async () => (await notes.get(key)).logLevel ?? DEFAULT_LOG_LEVEL,
        whenCancelled: (listener) => bus.subscribe('cancelled', (signal) => {
          if (signal.session === key && signal.id === request.id) listener()
        })
      }
    },

    async accept (message, exchange) {
      const { key } = await known(exchange)
      if (key === undefined) return
      if (message.kind === 'response') {
        await asked.answer(key, message)
      } else if (message.method === 'notifications/cancelled') {
        const { requestId: id } = message.params
        // 2025-11-25 basic/utilities/cancellation#error-handling: what makes no sense is ignored
        if (typeof id === 'string' || typeof id === 'number') bus.publish('cancelled', { session: key, id })
      }
    },

    asker: (_request, { client, key }, { reply }, stop) => (step) => {
      requireCapabilities(step, client.capabilities)
      if (key === undefined || reply === 'json') {
        throw new Fault('invalid_request', 'This needs to ask the client something, which needs a session and a reply that is a stream.')
      }
      return asked.ask(key, step, stop.signal)
    },

    keep: ({ id }, frames, { revision, key, credential: holder }, stop) => key === undefined || !has(revision, 'resumableStreams')
      ? undefined
      : resumable(frames, { log, bus, session: key, holder, primed: has(revision, 'primedStreams'), stop, ifLost: errorResponse(id, LOST) }),

    revisionOf: async (caller) => (await known(caller)).revision,

    async listen (exchange) {
      const { key = '', revision } = await known(exchange)
      return listen({ notes, log, bus, changes, positions }, key, revision, exchange)
    },

    async end (caller) {
      const { key = '', expires = 0 } = await known(caller)
      await sessions?.end(headerOf(caller.headers, 'mcp-session-id')!, expires)
      await notes.forget(key)
      endStream(bus, listeningName(key))
    },

    result: ({ result }) => result
  }
}
