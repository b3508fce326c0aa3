/** Ended sessions in the memory of one process, forgotten when they would have expired anyway. */
import type { EndedSessions } from './session.js'

const SWEEP_AT = 10_000

export const endedSessionsInMemory = (now: () => number = Date.now): EndedSessions => {
  const ended = new Map<string, number>()
  const sweep = () => {
    for (const [id, expires] of ended) if (expires <= now()) ended.delete(id)
  }
  let sweepAt = SWEEP_AT
  return {
    has: async (id) => ended.has(id),
    async add (id, expires) {
      ended.set(id, expires)
      if (ended.size < sweepAt) return
      sweep()
      sweepAt = Math.max(SWEEP_AT, ended.size * 2)
    }
  }
}
