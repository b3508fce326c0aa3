/** Lets long computations yield to the event loop, because otherwise they would block all other callers. */
import { nextTurn } from './next-turn.js'

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
