/**
 * The stream that a legacy client opens by GET, to hear what changes. It keeps nothing: an event's id is a position in the
 * feed of changes, from which any replica goes on. 2025-11-25 basic/transports#listening-for-messages-from-the-server
 */
import type { EventBus } from '../../event-bus.js'
import type { ResourceChange, ChangeNotifier } from '../../subscriptions.js'
import type { Principal } from '../../../lib/principal.js'
import { notification } from '../../jsonrpc/message.js'
import type { SessionPreferencesStore } from './session-preferences.js'
import type { ServerEvent } from '../era.js'
import type { LazyAbortController } from '../../cancellation.js'
import { eventId, newStream } from './event-id.js'
import type { EventPositions } from './event-positions.js'
import { onTakeover, claimStream } from './stream-ownership.js'

export interface ChangeStreamDeps {
  changes: ChangeNotifier
  preferences: SessionPreferencesStore
  bus: EventBus
  positions: EventPositions
  principal: Principal
  session: string
  /** Whether the client knows events without data. */
  primed: boolean
  /** Where the client heard the last change; not fresh when that is too long ago to tell all that changed since. */
  after: ReturnType<EventPositions['read']>
  cancellation: LazyAbortController
}

const RETRY_MS = 1000

/** What the newest listening stream of a session takes from the one before it. */
export const changeStreamName = (session: string): string => `listening ${session}`

export async function * changeStream (
  { changes, preferences, bus, positions, principal, session, primed, after, cancellation }: ChangeStreamDeps
): AsyncGenerator<ServerEvent, void, unknown> {
  const stream = newStream('listening')
  const from = after?.fresh ? after.position : await changes.position()
  const placed = (position: string): string => eventId(stream, positions.sign(session, stream, position))
  const name = changeStreamName(session)
  const untaken = onTakeover(bus, name, stream, () => cancellation.abort())
  claimStream(bus, name, stream)
  const filter = { lists: changes.lists, uris: async () => (await preferences.get(session)).subscriptions }
  try {
    if (primed) yield { id: placed(from), data: '' }
    // It missed what changed since: whatever it watches may have.
    if (after && !after.fresh) yield * all(await filter.uris(), changes)
    for await (const batch of changes.follow(principal, filter, from, cancellation.signal)) {
      const messages = batch.changes.map(messageOf)
      // Only the last one moves the position: whoever loses the connection before it hears all of them again.
      for (const data of messages.slice(0, -1)) yield data
      for (const data of messages.slice(-1)) yield { id: placed(batch.position), data }
    }
    if (!cancellation.aborted) yield { retry: RETRY_MS }
  } finally {
    untaken()
    cancellation.dispose()
  }
}

const all = (uris: readonly string[], { lists }: ChangeNotifier): string[] => [
  ...[...lists].map((list) => messageOf({ kind: 'list', list })),
  ...uris.map((uri) => messageOf({ kind: 'updated', uri }))
]

const messageOf = (change: ResourceChange): string => change.kind === 'updated'
  ? notification('notifications/resources/updated', { uri: change.uri })
  : JSON.stringify({ jsonrpc: '2.0', method: `notifications/${change.list}/list_changed` })
