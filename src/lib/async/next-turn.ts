/** Resolves in the next turn of the event loop, after what has arrived by then was handled. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve) })
