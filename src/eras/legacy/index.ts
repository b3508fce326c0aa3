/** The legacy era: a handshake, then requests that name its session. 2025-11-25 basic/lifecycle */
import type { Bus } from '../../bus.js'
import type { CallSession } from '../../call.js'
import type { Changes } from '../../changes.js'
import { Fault, Refusal } from '../../errors.js'
import { isObject } from '../../rpc/parse.js'
import type { Params } from '../../rpc/message.js'
import { has, isLegacyRevision, LATEST_LEGACY, LEGACY_REVISIONS } from '../../revisions.js'
import { MOST_SUBSCRIPTIONS, type SessionNotes } from '../../store/session-notes.js'
import type { Answer } from '../answer.js'
import { clientNamed } from '../client.js'
import { headerOf, type Era, type Events, type Exchange, type Headers, type Opened } from '../era.js'
import { requireCapabilities } from '../input.js'
import { progressTokenOf } from '../progress-token.js'
import { stopper } from '../stop.js'
import { eventId, isCallStream, newStream, readEventId } from './event-id.js'
import type { EventLog } from './event-log.js'
import { listening, listeningName } from './listening.js'
import { questions } from './questions.js'
import { resumable } from './resumable.js'
import { keyOf, type Session, type Sessions } from './session.js'

export interface LegacyEra extends Era {
  /** The session that a request names, or the `Fault` that says why there is none. */
  session (exchange: Pick<Exchange, 'headers' | 'principal'>): Promise<Session>
  /** The stream that a GET opens: of what changes, or the rest of one that was lost. */
  listen (exchange: Exchange): Promise<Answer>
  /** Ends it: 2025-11-25 basic/transports#session-management. */
  end (exchange: Pick<Exchange, 'headers' | 'principal'>): Promise<void>
}

export interface LegacyParts {
  sessions: Sessions
  notes: SessionNotes
  log: EventLog
  bus: Bus
  /** Without it there is nothing to listen to. */
  changes?: Changes | undefined
}

// 2025-11-25 server/utilities/logging#setting-log-level: without a request of the client the server decides
const DEFAULT_LOG_LEVEL = 'info'

export const legacyEra = ({ sessions, notes, log, bus, changes }: LegacyParts): LegacyEra => {
  const asked = questions(bus)
  const idOf = (headers: Headers): string | undefined => headerOf(headers, 'mcp-session-id')

  const session: LegacyEra['session'] = async ({ headers, principal }) => {
    const id = idOf(headers)
    if (id === undefined) {
      throw new Fault('session_required', 'Call initialize first, then send the Mcp-Session-Id header that it answers with every request.')
    }
    const found = await sessions.read(id, principal.credential.id)
    // 2025-11-25 basic/transports#session-management: 404, so that the client starts a new session
    if (!found) throw new Fault('session_not_found', 'This session is unknown or has ended. Call initialize again, without a session id.')
    requireKnownVersion(headers)
    return found
  }

  const remembered = (key: string, { expires }: Session): CallSession => ({
    setLogLevel: (level) => notes.setLogLevel(key, level, expires),
    async subscribe (uri) {
      if (await notes.subscribe(key, uri, expires)) return
      throw new Refusal(`A session watches at most ${MOST_SUBSCRIPTIONS} resources. Unsubscribe from one first.`)
    },
    unsubscribe: (uri) => notes.unsubscribe(key, uri)
  })

  /** What was said on a call's stream after the client lost it, and what is still said. */
  const resume = async (exchange: Exchange, stream: string, after: number): Promise<Answer> => {
    const by = newStream('call')
    const stop = stopper((now) => {
      exchange.whenGone(now)
      return bus.subscribe('taken', (taken) => { if (taken.stream === stream && taken.by !== by) now() })
    })
    const missed = await log.follow(stream, keyOf(idOf(exchange.headers)!), after, stop.signal)
    if (!missed) throw new Fault('invalid_request', 'What came after this Last-Event-ID is no longer kept. Send the request again.')
    bus.publish('taken', { stream, by })
    async function * events () {
      for await (const { number, data } of missed!) yield { id: eventId(stream, number), data }
      stop.over()
    }
    return { kind: 'stream', events: events(), stop }
  }

  return {
    name: 'legacy',
    session,

    async open (request, exchange): Promise<Opened> {
      const progressToken = progressTokenOf(request.params['_meta'])
      if (request.method === 'initialize') {
        requireKnownVersion(exchange.headers)
        const { revision, client } = negotiate(request.params)
        const id = sessions.issue({ revision, client, credential: exchange.principal.credential.id })
        return { revision, client, progressToken, headers: { 'mcp-session-id': id } }
      }
      const found = await session(exchange)
      const key = keyOf(idOf(exchange.headers)!)
      return {
        revision: found.revision,
        client: found.client,
        progressToken,
        session: remembered(key, found),
        logLevel: async () => (await notes.get(key)).logLevel ?? DEFAULT_LOG_LEVEL,
        whenCancelled: (listener) => bus.subscribe('cancelled', (signal) => {
          if (signal.session === key && signal.id === request.id) listener()
        })
      }
    },

    async accept (message, exchange) {
      await session(exchange)
      const key = keyOf(idOf(exchange.headers)!)
      if (message.kind === 'response') {
        asked.answer(key, message)
      } else if (message.method === 'notifications/cancelled') {
        const { requestId: id } = message.params
        // 2025-11-25 basic/utilities/cancellation#error-handling: what makes no sense is ignored
        if (typeof id === 'string' || typeof id === 'number') bus.publish('cancelled', { session: key, id })
      }
    },

    asker: (_request, { client }, { headers, reply }, stop) => (step) => {
      requireCapabilities(step, client.capabilities)
      if (reply === 'json') throw new Fault('invalid_request', 'This needs to ask the client something, which needs a reply that is a stream.')
      return asked.ask(keyOf(idOf(headers)!), step, stop.signal)
    },

    keep (frames, { revision }, { headers }, stop): Events | undefined {
      const id = idOf(headers)
      if (id === undefined || !has(revision, 'resumableStreams')) return undefined
      return resumable(frames, { log, bus, session: keyOf(id), primed: has(revision, 'primedStreams'), stop })
    },

    async listen (exchange) {
      const { revision } = await session(exchange)
      const lastId = headerOf(exchange.headers, 'last-event-id')
      const last = lastId === undefined ? undefined : readEventId(lastId)
      if (lastId !== undefined && !last) throw new Fault('invalid_request', 'Last-Event-ID is the id of no event of this server. Leave it out.')
      if (last && isCallStream(last.stream)) return resume(exchange, last.stream, Number(last.place))
      if (!changes) throw new Fault('method_not_allowed', 'This server has nothing to say on a stream of its own. Send messages by POST.')
      const stop = stopper((now) => {
        exchange.whenGone(now)
        return undefined
      })
      return {
        kind: 'stream',
        stop,
        events: listening({
          changes,
          notes,
          bus,
          principal: exchange.principal,
          session: keyOf(idOf(exchange.headers)!),
          primed: has(revision, 'primedStreams'),
          after: last?.place,
          stop
        })
      }
    },

    async end (exchange) {
      const id = idOf(exchange.headers)!
      await sessions.end(id, await session(exchange))
      await notes.forget(keyOf(id))
      bus.publish('taken', { stream: listeningName(keyOf(id)), by: 'the end of the session' })
    },

    result: ({ result }) => result
  }
}

/** The version that the client asks for when it is a legacy one, else the latest: 2025-11-25 basic/lifecycle#version-negotiation. */
const negotiate = ({ protocolVersion, capabilities, clientInfo }: Params): Pick<Session, 'revision' | 'client'> => {
  if (typeof protocolVersion !== 'string') throw new Fault('invalid_params', '"params.protocolVersion" is a string.')
  if (!isObject(capabilities)) throw new Fault('invalid_params', '"params.capabilities" is an object.')
  if (!isObject(clientInfo)) throw new Fault('invalid_params', '"params.clientInfo" is an object with "name" and "version".')
  return {
    revision: isLegacyRevision(protocolVersion) ? protocolVersion : LATEST_LEGACY,
    client: clientNamed(clientInfo, capabilities)
  }
}

// 2025-11-25 basic/transports#protocol-version-header
const requireKnownVersion = (headers: Headers): void => {
  const version = headerOf(headers, 'mcp-protocol-version')
  if (version !== undefined && !isLegacyRevision(version)) {
    throw new Fault('unsupported_version', `The MCP-Protocol-Version header is none of ${LEGACY_REVISIONS.join(', ')}.`,
      { supported: LEGACY_REVISIONS, requested: version.slice(0, 64) })
  }
}
