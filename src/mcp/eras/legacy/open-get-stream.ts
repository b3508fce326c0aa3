/** The stream that a GET opens: of what changes, or the rest of one that was lost. */
import type { EventBus } from '../../event-bus.js'
import type { ChangeNotifier } from '../../subscriptions.js'
import { Fault } from '../../../lib/errors.js'
import { supports } from '../../revisions.js'
import type { SessionPreferencesStore } from './session-preferences.js'
import type { Reply } from '../../dispatch.js'
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

export const openGetStream = async (
  { preferences, eventStore, bus, changes, positions }: GetStreamDeps, session: string, revision: string,
  exchange: HttpExchange
): Promise<Reply> => {
  const lastId = headerOf(exchange.headers, 'last-event-id')
  const last = lastId === undefined ? undefined : readEventId(lastId)
  if (lastId !== undefined && !last) throw new Fault('invalid_request', 'Last-Event-ID is the id of no event of this server. Leave it out.')
  if (last && 'number' in last) return resume({ eventStore, bus }, session, last.stream, last.number, exchange)
  if (!changes) throw new Fault('method_not_allowed', 'This server has nothing to say on a stream of its own. Send messages by POST.')
  const cancellation = new LazyAbortController((now) => {
    exchange.onDisconnect(now)
    return undefined
  })
  const primed = supports(revision, 'primedStreams')
  // A place that was not given to this session counts for nothing: the stream starts at now.
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

/** What was said on a call's stream after the client lost it, and what is still said. */
const resume = async (
  { eventStore, bus }: Pick<GetStreamDeps, 'eventStore' | 'bus'>, session: string, stream: string, after: number,
  exchange: HttpExchange
): Promise<Reply> => {
  const by = newStream('call')
  const cancellation = new LazyAbortController((now) => {
    exchange.onDisconnect(now)
    return onTakeover(bus, stream, by, now)
  })
  const missed = await eventStore.follow(stream, session, after, cancellation.signal)
  if (!missed) throw new Fault('invalid_request', 'What came after this Last-Event-ID is no longer kept. Send the request again.')
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
