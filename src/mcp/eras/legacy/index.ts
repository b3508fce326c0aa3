/** The legacy era: a handshake, then requests that name its session. 2025-11-25 basic/lifecycle */
import type { EventBus } from '../../event-bus.js'
import type { SessionHandle } from '../../request-context.js'
import type { ChangeNotifier } from '../../subscriptions.js'
import { Fault, Refusal } from '../../../lib/errors.js'
import { supports, type LegacyRevision } from '../../revisions.js'
import { errorResponse } from '../../jsonrpc/message.js'
import { MAX_SUBSCRIPTIONS, type SessionPreferencesStore } from './session-preferences.js'
import type { Reply } from '../../dispatch.js'
import { faultReply } from '../faults.js'
import { headerOf, type Era, type HttpExchange, type AdmittedRequest } from '../era.js'
import { requireCapabilities } from '../../input-request.js'
import { parseProgressToken } from '../../progress-token.js'
import type { AskedIds } from './asked-ids.js'
import type { EventStore } from './event-store.js'
import type { EventPositions } from './event-positions.js'
import { negotiate, headerRevision } from './handshake.js'
import { releaseStream } from './stream-ownership.js'
import { openGetStream } from './open-get-stream.js'
import { changeStreamName } from './change-stream.js'
import { serverRequests } from './server-requests.js'
import { resumableStream } from './resumable-stream.js'
import { sessionKey, type Session, type Sessions } from './session.js'

type LegacyCaller = Pick<HttpExchange, 'headers' | 'principal'>

export interface LegacyEra extends Era {
  /** Whether a request without a session is refused. */
  hasSessions: boolean
  /** The revision that a request outside JSON-RPC's envelope, such as a batch, belongs to. */
  revisionOf (caller: LegacyCaller): Promise<LegacyRevision>
  /** The stream that a GET opens. */
  openGetStream (exchange: HttpExchange): Promise<Reply>
  /** Ends the session: 2025-11-25 basic/transports#session-management. */
  endSession (caller: LegacyCaller): Promise<void>
}

export interface LegacyEraDeps {
  /** The revisions that are served, the oldest first. */
  served: readonly LegacyRevision[]
  /** Without it each request stands alone: nothing is remembered, and the client is asked nothing. */
  sessions: Sessions | undefined
  preferences: SessionPreferencesStore
  eventStore: EventStore
  /** The places on listening streams. */
  positions: EventPositions
  bus: EventBus
  /** What other replicas asked; nothing when absent. */
  askedIds?: AskedIds | undefined
  /** Without it there is nothing to listen to. */
  changes?: ChangeNotifier | undefined
}

/** Who is speaking: the session under its key, or what is known without one. */
interface Identity extends Pick<Session, 'revision' | 'client'> {
  sessionKey?: string
  expires?: number
}

// 2025-11-25 basic/transports#protocol-version-header: what a request without session and header speaks
const ASSUMED: LegacyRevision = '2025-03-26'
// 2025-11-25 server/utilities/logging#setting-log-level: without a request of the client the server decides
const DEFAULT_LOG_LEVEL = 'info'

const { error: SERVER_GONE } = faultReply(
  new Fault('internal_error', 'The server that worked on this request has gone. Send the request again.'), 'legacy'
)

export const legacyEra = (
  { served, sessions, preferences, eventStore, positions, bus, askedIds, changes }: LegacyEraDeps
): LegacyEra => {
  const clientRequests = serverRequests(bus, askedIds)

  const identify = async ({ headers, principal }: LegacyCaller): Promise<Identity> => {
    if (!sessions) return { revision: headerRevision(headers, served) ?? ASSUMED, client: { capabilities: {} } }
    const id = headerOf(headers, 'mcp-session-id')
    if (id === undefined) {
      throw new Fault('session_required', 'Call initialize first, then send the Mcp-Session-Id header that it answers with every request.')
    }
    const session = await sessions.read(id, principal.credential.id)
    // 2025-11-25 basic/transports#session-management: 404, so that the client starts a new session
    if (!session || !served.includes(session.revision)) {
      throw new Fault('session_not_found', 'This session is unknown or has ended. Call initialize again, without a session id.')
    }
    headerRevision(headers, served)
    return { ...session, sessionKey: sessionKey(id) }
  }

  const sessionHandle = (key: string, expires: number): SessionHandle => ({
    setLogLevel: (level) => preferences.setLogLevel(key, level, expires),
    async subscribe (uri) {
      if (await preferences.subscribe(key, uri, expires)) return
      throw new Refusal(`A session watches at most ${MAX_SUBSCRIPTIONS} resources. Unsubscribe from one first.`)
    },
    unsubscribe: (uri) => preferences.unsubscribe(key, uri)
  })

  return {
    name: 'legacy',
    hasSessions: sessions !== undefined,

    async admit (request, exchange): Promise<AdmittedRequest> {
      const progressToken = parseProgressToken(request.params['_meta'])
      if (request.method === 'initialize') {
        headerRevision(exchange.headers, served)
        const negotiated = negotiate(request.params, served)
        const id = sessions?.issue({ ...negotiated, credential: exchange.principal.credential.id })
        return { ...negotiated, progressToken, ...(id !== undefined && { headers: { 'mcp-session-id': id } }) }
      }
      const { revision, client, sessionKey, expires = 0 } = await identify(exchange)
      if (sessionKey === undefined) return { revision, client, progressToken, logLevel: DEFAULT_LOG_LEVEL }
      return {
        revision,
        client,
        progressToken,
        sessionKey,
        credential: exchange.principal.credential.id,
        session: sessionHandle(sessionKey, expires),
        logLevel: async () => (await preferences.get(sessionKey)).logLevel ?? DEFAULT_LOG_LEVEL,
        onCancelled: (listener) => bus.subscribe('cancelled', (signal) => {
          if (signal.session === sessionKey && signal.id === request.id) listener()
        })
      }
    },

    async accept (message, exchange) {
      const { sessionKey } = await identify(exchange)
      if (sessionKey === undefined) return
      if (message.kind === 'response') {
        await clientRequests.resolve(sessionKey, message)
      } else if (message.method === 'notifications/cancelled') {
        const { requestId: id } = message.params
        // 2025-11-25 basic/utilities/cancellation#error-handling: what makes no sense is ignored
        if (typeof id === 'string' || typeof id === 'number') bus.publish('cancelled', { session: sessionKey, id })
      }
    },

    inputRequester: (_request, { client, sessionKey }, { reply }, cancellation) => (step) => {
      requireCapabilities(step, client.capabilities)
      if (sessionKey === undefined || reply === 'json') {
        throw new Fault('invalid_request', 'This needs to ask the client something, which needs a session and a reply that is a stream.')
      }
      return clientRequests.send(sessionKey, step, cancellation.signal)
    },

    makeResumable: ({ id }, frames, { revision, sessionKey, credential: holder }, cancellation) => sessionKey === undefined || !supports(revision, 'resumableStreams')
      ? undefined
      : resumableStream(frames, {
        eventStore,
        bus,
        session: sessionKey,
        holder,
        primed: supports(revision, 'primedStreams'),
        cancellation,
        ifLost: errorResponse(id, SERVER_GONE)
      }),

    revisionOf: async (caller) => (await identify(caller)).revision,

    async openGetStream (exchange) {
      const { sessionKey = '', revision } = await identify(exchange)
      return openGetStream({ preferences, eventStore, bus, changes, positions }, sessionKey, revision, exchange)
    },

    async endSession (caller) {
      const { sessionKey = '', expires = 0 } = await identify(caller)
      await sessions?.end(headerOf(caller.headers, 'mcp-session-id')!, expires)
      await preferences.forget(sessionKey)
      releaseStream(bus, changeStreamName(sessionKey))
    },

    result: ({ result }) => result
  }
}
