/** A feed of changes that tests make by hand. */
import { EventEmitter, on } from 'node:events'
import type { ChangeNotifier, ResourceChange } from 'exploration-mcp/engine'

export type HandChanges = ChangeNotifier & { make (change: ResourceChange): void }

export const handChanges = (): HandChanges => {
  const emitter = new EventEmitter().setMaxListeners(0)
  let made = 0
  return {
    lists: new Set(['tools', 'resources', 'prompts'] as const),
    position: async () => `${made}.0`,
    make (change) {
      made++
      emitter.emit('change', change)
    },
    async * follow (_principal, wanted, _after, signal) {
      try {
        for await (const [change] of on(emitter, 'change', { signal }) as AsyncIterable<[ResourceChange]>) {
          const told = change.kind === 'list' ? wanted.lists.has(change.list) : [...await wanted.uris()].includes(change.uri)
          if (told) yield { changes: [change], position: `${made}.0` }
        }
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
  }
}
