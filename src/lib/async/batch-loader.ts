/**
 * Batches reads by key (the DataLoader pattern): keys that are requested during one read go into the next statement
 * together. Caches nothing, so every result is read after it was requested.
 *
 * A statement costs the database about as much for one key as for ten: under load the credentials of many callers are
 * verified by one, and a record that several ask for at once is read once.
 */

export interface BatchLoaderOptions {
  /** Distinct keys of one statement. */
  maxBatch?: number
  /** Statements that run at the same time. */
  concurrency?: number
  /** Milliseconds that an incomplete batch waits for the running statement to end. */
  maxDelayMs?: number
}

interface PendingKey<Found> { resolve: (found: Found | undefined) => void, reject: (error: unknown) => void }

/**
 * Creates a loader for single keys on top of a read of many keys.
 * @param read gives the values that exist, by key
 * @returns a function that resolves with the value, or undefined when there is none; rejects with the error of `read`
 */
export const batchLoader = <Found>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
  { maxBatch = 100, concurrency = 4, maxDelayMs = 5 }: BatchLoaderOptions = {}
): (key: string) => Promise<Found | undefined> => {
  const waiting = new Map<string, Array<PendingKey<Found>>>()
  let reading = 0
  let soon: NodeJS.Immediate | undefined
  let later: NodeJS.Timeout | undefined

  const start = (): void => {
    clearImmediate(soon)
    clearTimeout(later)
    soon = later = undefined
    const batch = [...waiting].slice(0, maxBatch)
    const keys = batch.map(([key]) => key)
    for (const key of keys) waiting.delete(key)
    reading++
    read(keys)
      .then((found) => { for (const [key, all] of batch) for (const { resolve } of all) resolve(found.get(key)) })
      .catch((error: unknown) => { for (const [, all] of batch) for (const { reject } of all) reject(error) })
      .finally(() => {
        reading--
        plan()
      })
    plan()
  }

  // The first batch starts at the end of the turn, so that keys which arrive together are read together. While a
  // statement runs, an incomplete batch waits up to maxDelayMs: this gives fewer and fuller statements, and a slow
  // statement delays no one for long.
  const plan = (): void => {
    if (waiting.size === 0 || reading >= concurrency) return
    if (reading === 0 || waiting.size >= maxBatch) soon ??= setImmediate(start)
    else later ??= setTimeout(start, maxDelayMs)
  }

  return (key) => new Promise((resolve, reject) => {
    const same = waiting.get(key)
    if (same) same.push({ resolve, reject })
    else waiting.set(key, [{ resolve, reject }])
    plan()
  })
}
