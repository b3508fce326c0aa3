/** Changes that a server announces itself, kept in the memory of one process. */
import { EventEmitter, once } from 'node:events'
import type { Principal } from '../lib/principal.js'
import type { ChangeNotifier, ListKind, ResourceChange } from './subscriptions.js'

/** A feed of changes, and the function that adds to it. */
export interface MemoryChanges<P extends Principal = Principal> extends ChangeNotifier<P> {
  /** Announces a change to every client that asked for it and may see it. */
  announce (change: ResourceChange): void
}

/** What can change, and who may learn of it. */
export interface MemoryChangesOptions<P extends Principal> {
  /** The lists that can change; resources alone by default. */
  lists?: readonly ListKind[]
  /** Whether a principal may learn of a change; everybody may by default. */
  isVisible?: (change: ResourceChange, principal: P) => boolean
}

const MAX_KEPT = 1000

/** Creates the feed. It keeps the last 1,000 changes, for clients that reconnect. */
export const memoryChanges = <P extends Principal = Principal>(
  { lists = ['resources'], isVisible = () => true }: MemoryChangesOptions<P> = {}
): MemoryChanges<P> => {
  const history: ResourceChange[] = []
  const emitter = new EventEmitter().setMaxListeners(0)
  let announced = 0

  return {
    lists: new Set(lists),

    announce (change) {
      history.push(change)
      announced++
      if (history.length > MAX_KEPT) history.shift()
      emitter.emit('change')
    },

    // The dot makes it a position of the form that the legacy era signs: two numbers.
    position: async () => `${announced}.0`,

    async * follow (principal, filter, after, signal) {
      let position = Math.min(Number.parseInt(after, 10) || 0, announced)
      while (!signal.aborted) {
        // It rejects when the signal aborts.
        if (position === announced) await once(emitter, 'change', { signal }).catch(() => {})
        const missed = position === announced ? [] : history.slice(-(announced - position))
        position = announced
        const uris = new Set(await filter.uris())
        const changes = missed.filter((change) => isVisible(change, principal) &&
          (change.kind === 'list' ? filter.lists.has(change.list) : uris.has(change.uri)))
        if (changes.length > 0) yield { changes, position: `${position}.0` }
      }
    }
  }
}
