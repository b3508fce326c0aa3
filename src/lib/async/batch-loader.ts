/**
 * Batches reads by key (the DataLoader pattern): keys that are requested during one read go into the next statement
 * together. Caches nothing, so every result is read after it was requested.
 *
 * A statement costs the database about as much for one key as for ten: under load the credentials of many callers are
 * verified by one, and a record that several ask for at once is read once.
 */

/** Distinct keys of one statement. */
const MAX_BATCH = 100
const MAX_RUNNING = 4
const MAX_DELAY_MS = 5

interface PendingKey<Found> { resolve: (found: Found | undefined) => void, reject: (error: unknown) => void }

export const batchLoader = <Found>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>
): (key: string) => Promise<Found | undefined> => {
  const waiting = new Map<string, Array<PendingKey<Found>>>()
  let reading = 0
  let soon: NodeJS.Immediate | undefined
  let later: NodeJS.Timeout | undefined

  const start = (): void => {
    clearImmediate(soon)
    clearTimeout(later)
    soon = later = undefined
    const batch = [...waiting].slice(0, MAX_BATCH)
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
  // statement runs, an incomplete batch waits up to 5 ms: this gives fewer and fuller statements, and a slow
  // statement delays no one for long.
  const plan = (): void => {
    if (waiting.size === 0 || reading >= MAX_RUNNING) return
    if (reading === 0 || waiting.size >= MAX_BATCH) soon ??= setImmediate(start)
    else later ??= setTimeout(start, MAX_DELAY_MS)
  }

  return (key) => new Promise((resolve, reject) => {
    const same = waiting.get(key)
    if (same) same.push({ resolve, reject })
    else waiting.set(key, [{ resolve, reject }])
    plan()
  })
}
