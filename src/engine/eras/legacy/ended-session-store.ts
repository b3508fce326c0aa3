/** The port that stores the legacy sessions that were ended before they expired, and a store in memory. */

/** Keeps what it is given at least until it expires. */
export interface EndedSessionStore {
  has (id: string): boolean | Promise<boolean>
  /** `expires` in milliseconds since the epoch. */
  add (id: string, expires: number): Promise<void>
}

const MAX_SCANNED = 100

/** Creates a store in the memory of one process. It forgets a session once its id has expired. */
export const memoryEndedSessionStore = (now: () => number = Date.now): EndedSessionStore => {
  const ended = new Map<string, number>()
  return {
    has: (id) => ended.has(id),
    async add (id, expires) {
      // The oldest ones are looked at again with each new one, so that the map does not grow without end.
      for (const [other, until] of [...ended].slice(0, MAX_SCANNED)) if (until < now()) ended.delete(other)
      ended.set(id, expires)
    }
  }
}
