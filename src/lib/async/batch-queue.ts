/** A batching queue: items that arrive together are processed together; each caller waits for its own item. */
import { nextTurn } from './event-loop-yield.js'

interface BatchQueueOptions {
  maxBatch: number
  concurrency?: number
  maxQueued: number
  /** What the items are, in the plural: part of the error's message. */
  label: string
}

interface QueuedItem<Item> { item: Item, resolve: () => void, reject: (error: unknown) => void }

/** Collects the items of one turn of the event loop and passes them to `work` in batches. */
export const createBatchQueue = <Item>(
  work: (items: readonly Item[]) => Promise<void>, { maxBatch, concurrency = 1, maxQueued, label }: BatchQueueOptions
) => {
  const waiting: Array<QueuedItem<Item>> = []
  const underWay = new Set<Promise<void>>()
  let working = 0

  const one = async (batch: ReadonlyArray<QueuedItem<Item>>): Promise<void> => {
    try {
      await work(batch.map(({ item }) => item))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const all = async (): Promise<void> => {
    // Wait one turn, so that items which arrive together share a batch.
    await nextTurn()
    while (waiting.length > 0) await one(waiting.splice(0, maxBatch))
    // Decrement in the same tick, so that a later add starts a new worker.
    working--
  }

  return {
    /** Resolves when the item is done. Rejects when its batch failed, or when the queue is full. */
    add (item: Item): Promise<void> {
      if (waiting.length >= maxQueued) return Promise.reject(new Error(`too many ${label} are waiting`))
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (working >= concurrency) return
        working++
        const run: Promise<void> = all().finally(() => underWay.delete(run))
        underWay.add(run)
      })
    },
    async drain (): Promise<void> { await Promise.all(underWay) }
  }
}
