/** The stream that a GET opens: of what changes, or the rest of one that was lost. */
import type { Bus } from '../../event-bus.js'
import type { Changes } from '../../subscriptions.js'
import { Fault } from '../../../lib/errors.js'
import { has } from '../../revisions.js'
import type { SessionNotes } from '../../../db/sql-session-preferences.js'
import type { Answer } from '../../dispatch.js'
import { headerOf, type Exchange, type ServerEvent } from '../era.js'
import { Stop } from '../../cancellation.js'
import { eventId, newStream, readEventId } from './event-id.js'
import type { EventLog } from './event-store.js'
import type { EventPositions } from './event-positions.js'
import { listenForTaking, take } from './stream-ownership.js'
import { listening } from './change-stream.js'

export interface ListenParts {
  notes: SessionNotes
  log: EventLog
  bus: Bus
  changes: Changes | undefined
  positions: EventPositions
}

export const listen = async (
  { notes, log, bus, changes, positions }: ListenParts, session: string, revision: string, exchange: Exchange
): Promise<Answer> => {
  const lastId = headerOf(exchange.headers, 'last-event-id')
  const last = lastId === undefined ? undefined : readEventId(lastId)
  if (lastId !== undefined && !last) throw new Fault('invalid_request', 'Last-Event-ID is the id of no event of this server. Leave it out.')
  if (last && 'number' in last) return resume({ log, bus }, session, last.stream, last.number, exchange)
  if (!changes) throw new Fault('method_not_allowed', 'This server has nothing to say on a stream of its own. Send messages by POST.')
  const stop = new Stop((now) => {
    exchange.whenGone(now)
    return undefined
  })
  const primed = has(revision, 'primedStreams')
  // A place that was not given to this session counts for nothing: the stream starts at now.
  const after = last && positions.read(session, last.stream, last.place)
  const events = listening({ changes, notes, bus, positions, principal: exchange.principal, session, primed, after, stop })
  return { kind: 'stream', stop, events }
}

/** What was said on a call's stream after the client lost it, and what is still said. */
const resume = async (
  { log, bus }: Pick<ListenParts, 'log' | 'bus'>, session: string, stream: string, after: number, exchange: Exchange
): Promise<Answer> => {
  const by = newStream('call')
  const stop = new Stop((now) => {
    exchange.whenGone(now)
    return listenForTaking(bus, stream, by, now)
  })
  const missed = await log.follow(stream, session, after, stop.signal)
  if (!missed) throw new Fault('invalid_request', 'What came after this Last-Event-ID is no longer kept. Send the request again.')
  take(bus, stream, by)
  return { kind: 'stream', stop, events: eventsOf(missed, stream, () => stop.over()) }
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
