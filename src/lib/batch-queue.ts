/** Work that is done many at a time: what arrives together goes together, and each waits until its own is done. */
import { runForAll } from './caller-context.js'

export interface BatchedOptions {
  /** Of one batch. */
  most: number
  /** Batches at a time. */
  atOnce?: number
  /** One more is refused, which `what` names in the error. */
  mostWaiting: number
  what: string
}

export interface Batched<Item> {
  /** Resolves when the item is done, rejects when its batch failed. */
  add (item: Item): Promise<void>
  /** Resolves when nothing is under way. */
  idle (): Promise<void>
}

interface Waiting<Item> { item: Item, resolve: () => void, reject: (error: unknown) => void }

export const batched = <Item>(
  work: (items: readonly Item[]) => Promise<void>, { most, atOnce = 1, mostWaiting, what }: BatchedOptions
): Batched<Item> => {
  const waiting: Array<Waiting<Item>> = []
  const underWay = new Set<Promise<void>>()
  let working = 0

  const one = async (batch: ReadonlyArray<Waiting<Item>>): Promise<void> => {
    try {
      await runForAll(() => work(batch.map(({ item }) => item)))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const all = async (): Promise<void> => {
    // What arrives in the same turn goes along.
    await new Promise((resolve) => { setImmediate(resolve) })
    while (waiting.length > 0) await one(waiting.splice(0, most))
    // In the turn in which there was no more: what comes next has to begin anew.
    working--
  }

  return {
    add (item) {
      if (waiting.length >= mostWaiting) return Promise.reject(new Error(`too many ${what} are waiting`))
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (working >= atOnce) return
        working++
        const run: Promise<void> = all().finally(() => underWay.delete(run))
        underWay.add(run)
      })
    },
    async idle () { await Promise.all(underWay) }
  }
}
