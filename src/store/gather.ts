/**
 * Reads by key, many at a time: what is asked for while others are being read is read together in the next statement. Nothing is kept:
 * each answer was read after it was asked for.
 */

export interface GatherOptions {
  /** Keys of one statement. */
  most?: number
  /** Statements at a time. */
  atOnce?: number
}

interface Waiting<Found> { resolve: (found: Found | undefined) => void, reject: (error: unknown) => void }

export const gather = <Found>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>, { most = 100, atOnce = 2 }: GatherOptions = {}
): (key: string) => Promise<Found | undefined> => {
  const waiting = new Map<string, Array<Waiting<Found>>>()
  let reading = 0
  let planned = false

  const start = (): void => {
    planned = false
    const keys = [...waiting.keys()].slice(0, most)
    const asking = keys.map((key) => [key, waiting.get(key)!] as const)
    for (const key of keys) waiting.delete(key)
    reading++
    read(keys)
      .then((found) => { for (const [key, all] of asking) for (const { resolve } of all) resolve(found.get(key)) })
      .catch((error: unknown) => { for (const [, all] of asking) for (const { reject } of all) reject(error) })
      .finally(() => {
        reading--
        plan()
      })
    plan()
  }

  // At the end of the turn: what arrived together is asked together.
  const plan = (): void => {
    if (planned || waiting.size === 0 || reading >= atOnce) return
    planned = true
    setImmediate(start)
  }

  return (key) => new Promise((resolve, reject) => {
    const same = waiting.get(key)
    if (same) same.push({ resolve, reject })
    else waiting.set(key, [{ resolve, reject }])
    plan()
  })
}
