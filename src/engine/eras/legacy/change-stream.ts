/**
 * The stream that a legacy client opens by GET to receive changes. The server stores nothing for it: an event's id
 * is a signed position in the change feed, from which any replica can continue. 2025-11-25
 * basic/transports#listening-for-messages-from-the-server
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
  /** Whether the revision has events without data. */
  primed: boolean
  /**
   * The position of the last change that the client received. It is not fresh when it is too old to list all
   * changes since.
   */
  after: ReturnType<EventPositions['read']>
  cancellation: LazyAbortController
}

const RETRY_MS = 1000

/** The name that the newest change stream of a session claims, so that the one before it ends. */
export const changeStreamName = (session: string): string => `listening ${session}`

/**
 * Yields the changes that the session subscribed to, until the client disconnects, another stream of the session
 * opens, or access is lost.
 */
export async function * changeStream (
  { changes, preferences, bus, positions, principal, session, primed, after, cancellation }: ChangeStreamDeps
): AsyncGenerator<ServerEvent, void, unknown> {
  const stream = newStream('listening')
  const from = after?.fresh ? after.position : await changes.position()
  const placed = (position: string): string => eventId(stream, positions.sign(session, stream, position))
  const name = changeStreamName(session)
  const unsubscribe = onTakeover(bus, name, stream, () => cancellation.abort())
  claimStream(bus, name, stream)
  const filter = { lists: changes.lists, uris: async () => (await preferences.get(session)).subscriptions }
  try {
    if (primed) yield { id: placed(from), data: '' }
    // The client missed an unknown number of changes: report everything that it watches as changed.
    if (after && !after.fresh) yield * all(await filter.uris(), changes)
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

const all = (uris: readonly string[], { lists }: ChangeNotifier): string[] => [
  ...[...lists].map((list) => messageOf({ kind: 'list', list })),
  ...uris.map((uri) => messageOf({ kind: 'updated', uri }))
]

const messageOf = (change: ResourceChange): string => change.kind === 'updated'
  ? notification('notifications/resources/updated', { uri: change.uri })
  : JSON.stringify({ jsonrpc: '2.0', method: `notifications/${change.list}/list_changed` })
