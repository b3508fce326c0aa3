/**
 * Reads by key, many at a time: what is asked for while others are being read is read together in the next statement. Nothing is kept:
 * each answer was read after it was asked for.
 * It is done for none of the callers in particular.
 */

import { runForAll } from './caller-context.js'

export interface BatchLoaderOptions {
  /** Keys of one statement. */
  maxBatch?: number
  /** Statements at a time. */
  concurrency?: number
  /** Milliseconds that what fills no statement waits for the one under way to come back. */
  maxDelayMs?: number
}

interface PendingKey<Found> { resolve: (found: Found | undefined) => void, reject: (error: unknown) => void }

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
    const keys = [...waiting.keys()].slice(0, maxBatch)
    const batch = keys.map((key) => [key, waiting.get(key)!] as const)
    for (const key of keys) waiting.delete(key)
    reading++
    runForAll(() => read(keys))
      .then((found) => { for (const [key, all] of batch) for (const { resolve } of all) resolve(found.get(key)) })
      .catch((error: unknown) => { for (const [, all] of batch) for (const { reject } of all) reject(error) })
      .finally(() => {
        reading--
        plan()
      })
    plan()
  }

  // At the end of the turn: what arrived together is asked together. Statements that come one after the other are fewer and fuller
  // than those beside each other; but nobody waits long for one that takes its time.
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
