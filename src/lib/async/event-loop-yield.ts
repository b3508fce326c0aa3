/** Yields to the event loop, because long computations would otherwise block all other callers. */

/**
 * Creates a function that a computation awaits between its pieces. It resolves at once while the current turn of the
 * event loop has taken less than `sliceMs` milliseconds, otherwise in the next turn.
 * @param now a monotonic clock in milliseconds
 */
export const createEventLoopYield = (
  sliceMs: number, now: () => number = () => performance.now()
): () => Promise<void> => {
  let turnBegan: number | undefined
  const isTurnUsedUp = (): boolean => turnBegan !== undefined && now() - turnBegan >= sliceMs
  return async () => {
    // Others that waited may have used up the next turn already.
    while (isTurnUsedUp()) await nextTurn()
    if (turnBegan !== undefined) return
    turnBegan = now()
    setImmediate(() => { turnBegan = undefined })
  }
}

/** Resolves in the next turn of the event loop, after what has arrived by then was handled. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve) })
