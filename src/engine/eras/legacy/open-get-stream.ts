/** Opens the stream that a GET asks for: the changes, or the rest of a call's stream that the client lost. */
import type { EventBus } from '../../event-bus.js'
import type { ChangeNotifier } from '../../subscriptions.js'
import { Fault } from '../../../lib/errors.js'
import { supports } from '../../revisions.js'
import type { SessionPreferencesStore } from './session-preferences.js'
import type { EngineReply } from '../../reply.js'
import { headerOf, type HttpExchange, type ServerEvent } from '../era.js'
import { LazyAbortController } from '../../cancellation.js'
import { eventId, newStream, readEventId } from './event-id.js'
import type { EventStore } from './event-store.js'
import type { EventPositions } from './event-positions.js'
import { onTakeover, claimStream } from './stream-ownership.js'
import { changeStream } from './change-stream.js'

export interface GetStreamDeps {
  preferences: SessionPreferencesStore
  eventStore: EventStore
  bus: EventBus
  changes: ChangeNotifier | undefined
  positions: EventPositions
}

/**
 * Opens the stream. With a Last-Event-ID of a call's stream it resends what came after that event; otherwise it
 * streams changes.
 * @throws {Fault} `invalid_request` for an unknown Last-Event-ID, `method_not_allowed` when this server has no
 * changes to stream
 */
export const openGetStream = async (
  { preferences, eventStore, bus, changes, positions }: GetStreamDeps, session: string, revision: string,
  exchange: HttpExchange
): Promise<EngineReply> => {
  const lastId = headerOf(exchange.headers, 'last-event-id')
  const last = lastId === undefined ? undefined : readEventId(lastId)
  if (lastId !== undefined && !last) {
    throw new Fault('invalid_request', 'Last-Event-ID is not the id of an event of this server. Leave it out.')
  }
  if (last && 'number' in last) return resume({ eventStore, bus }, session, last.stream, last.number, exchange)
  if (!changes) {
    throw new Fault('method_not_allowed', 'This server offers no stream by GET. Send messages by POST.')
  }
  const cancellation = new LazyAbortController({
    listen (abort) {
      exchange.onDisconnect(abort)
      return undefined
    }
  })
  const primed = supports(revision, 'primedStreams')
  // A position that was not signed for this session is ignored: the stream starts at the present.
  const after = last && positions.read(session, last.stream, last.place)
  const events = changeStream({
    changes,
    preferences,
    bus,
    positions,
    principal: exchange.principal,
    session,
    primed,
    after,
    cancellation
  })
  return { kind: 'stream', cancellation, events }
}

/** Resends the messages that the client missed on a call's stream, and then continues with new ones. */
const resume = async (
  { eventStore, bus }: Pick<GetStreamDeps, 'eventStore' | 'bus'>, session: string, stream: string, after: number,
  exchange: HttpExchange
): Promise<EngineReply> => {
  const by = newStream('call')
  const cancellation = new LazyAbortController({
    listen (abort) {
      exchange.onDisconnect(abort)
      return onTakeover(bus, stream, by, abort)
    }
  })
  const missed = await eventStore.follow(stream, session, after, cancellation.signal)
  if (!missed) {
    throw new Fault(
      'invalid_request', 'The events after this Last-Event-ID are no longer stored. Send the request again.'
    )
  }
  claimStream(bus, stream, by)
  return { kind: 'stream', cancellation, events: eventsOf(missed, stream, () => cancellation.dispose()) }
}

async function * eventsOf (
  missed: AsyncIterable<{ number: number, data: string }>, stream: string, over: () => void
): AsyncGenerator<ServerEvent, void, unknown> {
  try {
    for await (const { number, data } of missed) yield { id: eventId(stream, number), data }
  } finally {
    over()
  }
}
