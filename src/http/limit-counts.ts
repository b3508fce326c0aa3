/** What limits are counted in: in this process, or in Valkey, where the replicas count together. */

export interface Visit {
  /** Who is counted. */
  key: string
  /** The shortest first; one is only counted while those before it are not used up. */
  windows: ReadonlyArray<{ ms: number, max: number }>
}

export interface Counted {
  /** How many there were in the window, with this one; more than `max` when it is used up. */
  current: number
  /** Milliseconds until the window ends. */
  ttl: number
}

/** Counts visits in their order, and tells of each of their windows. */
export type LimitCounts = (visits: readonly Visit[]) => Promise<Counted[][]>

/** While what is shared is away each replica counts for itself, and goes back by itself. */
export const togetherOrAlone = (
  valkey: { readonly away: boolean }, together: LimitCounts, alone: LimitCounts
): LimitCounts => async (visits) => {
  if (valkey.away) return alone(visits)
  try {
    return await together(visits)
  } catch (error) {
    if (!valkey.away) throw error
    return alone(visits)
  }
}

const MOST_COUNTS = 100_000

/** By a clock that nobody sets: one that jumps back would keep a window for as long. */
export const memoryLimitCounts = (now: () => number = () => performance.now(), most = MOST_COUNTS): LimitCounts => {
  const counts = new Map<string, { current: number, ends: number }>()

  /** Those that count nothing any more go, then the oldest. */
  const makeRoom = (at: number): void => {
    for (const [key, { ends }] of counts) if (ends <= at) counts.delete(key)
    for (const key of counts.keys()) {
      if (counts.size < most) break
      counts.delete(key)
    }
  }

  const visit = ({ key, windows }: Visit): Counted[] => {
    const at = now()
    let passed = true
    return windows.map(({ ms, max }) => {
      const name = `${ms} ${key}`
      let count = counts.get(name)
      if (!count || count.ends <= at) {
        counts.delete(name)
        if (counts.size >= most) makeRoom(at)
        counts.set(name, count = { current: 0, ends: at + ms })
      }
      if (passed) count.current++
      passed &&= count.current <= max
      return { current: count.current, ttl: count.ends - at }
    })
  }
  return async (visits) => visits.map(visit)
}
