/**
 * The stream that a GET asks for: the changes, or the rest of a call's stream that the client lost. For changes the
 * server stores nothing: an event's id is a signed position in the change feed, from which any replica can continue.
 * 2025-11-25 basic/transports#listening-for-messages-from-the-server
 */
import type { EventBus } from '../../event-bus.js'
import type { ChangeNotifier, ResourceChange } from '../../subscriptions.js'
import { Fault } from '../../../lib/errors.js'
import { supports } from '../../revisions.js'
import { notification } from '../../jsonrpc/message.js'
import type { SessionPreferencesStore } from './session-preferences.js'
import type { EngineReply } from '../../reply.js'
import { headerOf, type HttpExchange, type ServerEvent } from '../era.js'
import { LazyAbortController } from '../../cancellation.js'
import { eventId, newStream, readEventId, type EventPositions } from './event-id.js'
import type { EventStore } from './event-store.js'

export interface StreamPorts {
  preferences: SessionPreferencesStore
  eventStore: EventStore
  bus: EventBus
  positions: EventPositions
  /** The changes to listen to; none when undefined. */
  changes?: ChangeNotifier | undefined
}

/** With a Last-Event-ID of a call's stream it resends what came after that event; otherwise it streams changes. */
export const openGetStream = async (
  ports: StreamPorts, session: string, revision: string, exchange: HttpExchange
): Promise<EngineReply> => {
  const { changes, positions } = ports
  const lastId = headerOf(exchange.headers, 'last-event-id')
  const last = lastId === undefined ? undefined : readEventId(lastId)
  if (lastId !== undefined && !last) {
    throw new Fault('invalid_request', 'Last-Event-ID is not the id of an event of this server. Leave it out.')
  }
  if (last && 'number' in last) return await resume(ports, session, last, exchange)
  if (!changes) {
    throw new Fault('method_not_allowed', 'This server offers no stream by GET. Send messages by POST.')
  }
  const cancellation = new LazyAbortController({
    listen (abort) {
      exchange.onDisconnect(abort)
      return undefined
    }
  })
  // A position that was not signed for this session is ignored: the stream starts at the present.
  const after = last && positions.read(session, last.stream, last.place)
  const events = changeStream({ ...ports, changes }, session, revision, exchange, after, cancellation)
  return { kind: 'stream', cancellation, events }
}

const resume = async (
  { eventStore, bus }: StreamPorts, session: string, { stream, number }: { stream: string, number: number },
  exchange: HttpExchange
): Promise<EngineReply> => {
  const by = newStream('call')
  const cancellation = new LazyAbortController({
    listen (abort) {
      exchange.onDisconnect(abort)
      return onTakeover(bus, stream, by, abort)
    }
  })
  const missed = await eventStore.follow(stream, session, number, cancellation.signal)
  if (!missed) {
    throw new Fault(
      'invalid_request', 'The events after this Last-Event-ID are no longer stored. Send the request again.'
    )
  }
  claimStream(bus, stream, by)
  const events = async function * (): AsyncGenerator<ServerEvent, void, unknown> {
    try {
      for await (const { number, data } of missed) yield { id: eventId(stream, number), data }
    } finally {
      cancellation.dispose()
    }
  }
  return { kind: 'stream', cancellation, events: events() }
}

const RETRY_MS = 1000

/** The name that the newest change stream of a session claims, so that the one before it ends. */
export const changeStreamName = (session: string): string => `listening ${session}`

/**
 * Yields the changes that the session subscribed to, until the client disconnects, another stream of the session
 * opens, or access is lost.
 * @param after the last change that the client received; not fresh when it is too old to list all changes since
 */
async function * changeStream (
  { changes, preferences, bus, positions }: StreamPorts & { changes: ChangeNotifier }, session: string,
  revision: string, { principal }: HttpExchange, after: ReturnType<EventPositions['read']>,
  cancellation: LazyAbortController
): AsyncGenerator<ServerEvent, void, unknown> {
  const stream = newStream('listening')
  const from = after?.fresh ? after.position : await changes.position()
  const placed = (position: string): string => eventId(stream, positions.sign(session, stream, position))
  const name = changeStreamName(session)
  const unsubscribe = onTakeover(bus, name, stream, () => cancellation.abort())
  claimStream(bus, name, stream)
  const filter = { lists: changes.lists, uris: async () => (await preferences.get(session)).subscriptions }
  try {
    if (supports(revision, 'primedStreams')) yield { id: placed(from), data: '' }
    // The client missed an unknown number of changes: report everything that it watches as changed.
    if (after && !after.fresh) {
      for (const list of changes.lists) yield messageOf({ kind: 'list', list })
      for (const uri of await filter.uris()) yield messageOf({ kind: 'updated', uri })
    }
    for await (const batch of changes.follow(principal, filter, from, cancellation.signal)) {
      const messages = batch.changes.map(messageOf)
      // Only the last message has an id: a client that loses the connection before it gets the whole batch again.
      for (const data of messages.slice(0, -1)) yield data
      for (const data of messages.slice(-1)) yield { id: placed(batch.position), data }
    }
    if (!cancellation.aborted) yield { retry: RETRY_MS }
  } finally {
    unsubscribe()
    cancellation.dispose()
  }
}

const messageOf = (change: ResourceChange): string => change.kind === 'updated'
  ? notification('notifications/resources/updated', { uri: change.uri })
  : JSON.stringify({ jsonrpc: '2.0', method: `notifications/${change.list}/list_changed` })

/**
 * Calls `lost` when another connection takes the stream over, or when the stream ends. The newest connection owns a
 * stream: 2025-11-25 basic/transports#multiple-connections. All replicas receive the claims in one order, so that of
 * several at the same moment each replica keeps the same one: the last.
 */
const onTakeover = (bus: EventBus, stream: string, by: string, lost: () => void): (() => void) => {
  let isClaimed = false
  return bus.subscribe('streamClaimed', (taken) => {
    if (taken.stream !== stream) return
    if (taken.by === by) isClaimed = true
    else if (isClaimed || taken.by === END) lost()
  })
}

const claimStream = (bus: EventBus, stream: string, by: string): void =>
  bus.publishOrdered('streamClaimed', { stream, by })

/** The claimant when the session has ended and no connection takes the stream over. */
const END = 'the end of the session'

export const releaseStream = (bus: EventBus, stream: string): void => bus.publish('streamClaimed', { stream, by: END })
