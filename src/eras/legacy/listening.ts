/**
 * The stream that a legacy client opens by GET, to hear what changes. It keeps nothing: an event's id is a position in the
 * feed of changes, from which any replica goes on. 2025-11-25 basic/transports#listening-for-messages-from-the-server
 */
import type { Bus } from '../../bus.js'
import type { Change, Changes } from '../../changes.js'
import type { Principal } from '../../principal.js'
import { notification } from '../../rpc/message.js'
import type { SessionNotes } from '../../store/session-notes.js'
import type { ServerEvent } from '../era.js'
import type { Stop } from '../stop.js'
import { eventId, newStream } from './event-id.js'
import { listenForTaking, take } from './hold.js'

export interface ListeningParts {
  changes: Changes
  notes: SessionNotes
  bus: Bus
  principal: Principal
  session: string
  /** Whether the client knows events without data. */
  primed: boolean
  /** Where the client heard the last change. */
  after: string | undefined
  stop: Stop
}

const RETRY_MS = 1000

/** What the newest listening stream of a session takes from the one before it. */
export const listeningName = (session: string): string => `listening ${session}`

export async function * listening (
  { changes, notes, bus, principal, session, primed, after, stop }: ListeningParts
): AsyncGenerator<ServerEvent, void, unknown> {
  const stream = newStream('listening')
  const from = after ?? await changes.position()
  const name = listeningName(session)
  const untaken = listenForTaking(bus, name, stream, () => stop.now())
  take(bus, name, stream)
  const wanted = { lists: changes.lists, uris: async () => (await notes.get(session)).subscriptions }
  try {
    if (primed) yield { id: eventId(stream, from), data: '' }
    for await (const batch of changes.follow(principal, wanted, from, stop.signal)) {
      const messages = batch.changes.map(messageOf)
      // Only the last one moves the position: whoever loses the connection before it hears all of them again.
      for (const data of messages.slice(0, -1)) yield data
      for (const data of messages.slice(-1)) yield { id: eventId(stream, batch.position), data }
    }
    if (!stop.stopped) yield { retry: RETRY_MS }
  } finally {
    untaken()
    stop.over()
  }
}

const messageOf = (change: Change): string => change.kind === 'updated'
  ? notification('notifications/resources/updated', { uri: change.uri })
  : JSON.stringify({ jsonrpc: '2.0', method: `notifications/${change.list}/list_changed` })
