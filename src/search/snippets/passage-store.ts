/** Keeps the passages of texts that were read last, up to a bound in bytes. */
import type { Passages } from './passages.js'

export interface PassageStore {
  get (id: string): Passages | undefined
  set (id: string, passages: Passages): void
  delete (id: string): void
  clear (): void
}

/**
 * Creates an empty store.
 * @param maxBytes the bound on the sum of what passages say that they take; what was read longest ago goes first
 */
export const createPassageStore = (maxBytes: number): PassageStore => {
  const stored = new Map<string, Passages>()
  let bytes = 0
  const remove = (id: string): void => {
    bytes -= stored.get(id)?.bytes ?? 0
    stored.delete(id)
  }
  return {
    get (id) {
      const passages = stored.get(id)
      if (!passages) return undefined
      // What was read last goes last.
      stored.delete(id)
      stored.set(id, passages)
      return passages
    },

    set (id, passages) {
      remove(id)
      stored.set(id, passages)
      bytes += passages.bytes
      for (const oldest of stored.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },

    delete: remove,

    clear () {
      stored.clear()
      bytes = 0
    }
  }
}
