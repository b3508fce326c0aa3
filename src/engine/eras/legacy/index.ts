/** The legacy era: a handshake, then requests that name its session. 2025-11-25 basic/lifecycle */
import { Fault } from '../../../lib/errors.js'
import { supports, type LegacyRevision } from '../../revisions.js'
import { errorResponse, type Request } from '../../jsonrpc/message.js'
import { StoredSession } from './session-preferences.js'
import type { EngineReply } from '../../reply.js'
import { faultReply } from '../faults.js'
import { headerOf, requireMethod, type Era, type HttpExchange, type AdmittedRequest } from '../era.js'
import type { MethodDefinition } from '../../methods/index.js'
import { requireCapabilities } from '../../input-request.js'
import { parseProgressToken } from '../../client-info.js'
import { negotiate, headerRevision } from './handshake.js'
import { changeStreamName, openGetStream, releaseStream, type StreamPorts } from './get-stream.js'
import { serverRequests, type AskedIds } from './server-requests.js'
import { resumableStream } from './resumable-stream.js'
import { sessionKey, type Session, type Sessions } from './session.js'

type LegacyCaller = Pick<HttpExchange, 'headers' | 'principal'>

export interface LegacyEra extends Era {
  isServed: boolean
  /** Whether a request without a session is refused. */
  hasSessions: boolean
  /** The revision of a request that is not a JSON-RPC message, such as a batch. */
  revisionOf (caller: LegacyCaller): Promise<LegacyRevision>
  /** Opens the stream that a GET asks for. Rejects with a `Fault` when there is nothing to stream. */
  openGetStream (exchange: HttpExchange): Promise<EngineReply>
  /** Ends the caller's session: 2025-11-25 basic/transports#session-management. */
  endSession (caller: LegacyCaller): Promise<void>
}

interface LegacyEraDeps extends StreamPorts {
  /** The revisions that are served, the oldest first. */
  served: readonly LegacyRevision[]
  /** Undefined when each request stands alone: the server stores nothing and sends no requests to the client. */
  sessions: Sessions | undefined
  /** The ids of requests that other replicas sent to clients; none when undefined. */
  askedIds?: AskedIds | undefined
}

/** The session of a caller and its key, or the revision that is known without a session. */
interface Identity extends Pick<Session, 'revision' | 'client'> {
  sessionKey?: string
  expires?: number
}

// 2025-11-25 basic/transports#protocol-version-header: the revision of a request without session and header
const ASSUMED: LegacyRevision = '2025-03-26'

// 2025-11-25 server/utilities/logging#setting-log-level: the server decides when the client sets no level
const DEFAULT_LOG_LEVEL = 'info'

const { error: SERVER_GONE } = faultReply(
  new Fault('internal_error', 'The server that worked on this request has stopped. Send the request again.'), 'legacy'
)

export const legacyEra = ({ served, sessions, askedIds, ...ports }: LegacyEraDeps): LegacyEra => {
  const { bus, eventStore, preferences } = ports
  const clientRequests = serverRequests(bus, askedIds)

  const identify = async ({ headers, principal }: LegacyCaller): Promise<Identity> => {
    if (!sessions) return { revision: headerRevision(headers, served) ?? ASSUMED, client: { capabilities: {} } }
    const id = headerOf(headers, 'mcp-session-id')
    if (id === undefined) {
      throw new Fault(
        'session_required',
        'Call initialize first. Its reply has an Mcp-Session-Id header: send that header with every request.'
      )
    }
    const session = await sessions.read(id, principal.credential.id, principal.session)
    // 2025-11-25 basic/transports#session-management: 404, so that the client starts a new session
    if (!session || !served.includes(session.revision)) {
      throw new Fault(
        'session_not_found', 'This session is unknown or has ended. Call initialize again, without a session id.'
      )
    }
    headerRevision(headers, served)
    const { revision, client, expires } = session
    return { revision, client, expires, sessionKey: sessionKey(id) }
  }

  const admitIdentified = (
    { id, method: name }: Request, { principal }: HttpExchange, named: MethodDefinition | undefined,
    progressToken: string | number | undefined, { revision, client, sessionKey, expires = 0 }: Identity
  ): AdmittedRequest => {
    const method = requireMethod(named, 'legacy', name, revision)
    if (sessionKey === undefined) return { method, revision, client, progressToken, logLevel: DEFAULT_LOG_LEVEL }
    return {
      method,
      revision,
      client,
      progressToken,
      sessionKey,
      credential: principal.credential.id,
      logLevel: async () => (await preferences.get(sessionKey)).logLevel ?? DEFAULT_LOG_LEVEL,
      session: new StoredSession(preferences, sessionKey, expires),
      onCancelled: (listener) => bus.subscribe('cancelled', (cancelled) => {
        if (cancelled.session === sessionKey && cancelled.id === id) listener()
      })
    }
  }

  return {
    name: 'legacy',
    isServed: served.length > 0,
    hasSessions: sessions !== undefined,

    async admit (request, exchange, named): Promise<AdmittedRequest> {
      const progressToken = parseProgressToken(request.params['_meta'])
      if (request.method === 'initialize') {
        headerRevision(exchange.headers, served)
        const negotiated = negotiate(request.params, served)
        const method = requireMethod(named, 'legacy', request.method, negotiated.revision)
        const id = sessions?.issue({ ...negotiated, credential: exchange.principal.credential.id })
        return { method, ...negotiated, progressToken, ...(id !== undefined && { headers: { 'mcp-session-id': id } }) }
      }
      return admitIdentified(request, exchange, named, progressToken, await identify(exchange))
    },

    async accept (message, exchange) {
      const { sessionKey } = await identify(exchange)
      if (sessionKey === undefined) return
      if (message.kind === 'response') {
        await clientRequests.resolve(sessionKey, message)
      } else if (message.method === 'notifications/cancelled') {
        const { requestId: id } = message.params
        // 2025-11-25 basic/utilities/cancellation#error-handling: an invalid notification is ignored
        if (typeof id === 'string' || typeof id === 'number') bus.publish('cancelled', { session: sessionKey, id })
      }
    },

    inputRequester: (_request, { client, sessionKey }, { reply }, cancellation) => (step) => {
      requireCapabilities(step, client.capabilities)
      if (sessionKey === undefined || reply === 'json') {
        throw new Fault(
          'invalid_request',
          'This needs input from the client, and that needs a session and a reply that is a stream.'
        )
      }
      return clientRequests.send(sessionKey, step, cancellation.signal)
    },

    makeResumable: (
      { id }, frames, { revision, sessionKey, credential: holder }, cancellation
    ) => sessionKey === undefined || !supports(revision, 'resumableStreams')
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
      return await openGetStream(ports, sessionKey, revision, exchange)
    },

    async endSession (caller) {
      const { sessionKey = '', expires = 0 } = await identify(caller)
      const id = headerOf(caller.headers, 'mcp-session-id')
      if (id !== undefined) await sessions?.end(id, expires)
      await preferences.forget(sessionKey)
      releaseStream(bus, changeStreamName(sessionKey))
    },

    result: ({ result }) => result
  }
}
