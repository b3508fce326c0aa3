/** Work that never waits for anything outside the process holds the event loop, and with it all other callers, unless it yields. */

const nextTurn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve) })

/**
 * Makes what such work awaits between its pieces: it resolves at once while the current turn of the event loop has taken less than
 * `sliceMs` milliseconds, else in the next turn.
 */
export const createEventLoopYield = (
  sliceMs: number, now: () => number = () => performance.now()
): () => Promise<void> => {
  let turnBegan: number | undefined
  return async () => {
    if (turnBegan !== undefined && now() - turnBegan >= sliceMs) await nextTurn()
    // Whoever waited beside it may have begun the next turn.
    if (turnBegan !== undefined) return
    turnBegan = now()
    setImmediate(() => { turnBegan = undefined })
  }
}
