/**
 * A queue before a database that serves the callers in turn: who has many statements waiting delays another caller by
 * one statement, not by all of them. Statements that belong to no single caller go first, as every caller waits for
 * them.
 */
import { currentCaller } from '../lib/caller-context.js'

export interface FairQueueOptions {
  /** Pieces of work that run at the same time. */
  maxRunning: number
  /** The same of one caller; work of no caller is not bounded by it. */
  maxRunningPerCaller?: number
  /** Milliseconds that work waits at most; absent: as long as it takes. */
  maxWaitMs?: number
  /** What work that waited too long is rejected with. */
  waitedTooLong?: () => Error
}

export interface FairQueue {
  /** Work that waits. */
  readonly waiting: number
  /**
   * Runs work when it is the turn of the caller whom it is done for.
   * @throws what `waitedTooLong` makes when it waited for more than `maxWaitMs`
   */
  run<T> (work: () => Promise<T>): Promise<T>
}

/** How often in a row work of no caller goes first while a caller waits. */
const MAX_SHARED_IN_A_ROW = 4

interface CallerQueue { jobs: Array<() => void>, running: number }

/**
 * Creates a queue: at most `maxRunning` jobs run at once, at most `maxRunningPerCaller` of one caller; callers take
 * turns.
 */
export const createFairQueue = (
  {
    maxRunning, maxRunningPerCaller = maxRunning, maxWaitMs, waitedTooLong = () => new Error('waited too long')
  }: FairQueueOptions
): FairQueue => {
  // In the order of their turns; a lane is here while it has something waiting or running.
  const lanes = new Map<string, CallerQueue>()
  const shared: CallerQueue = { jobs: [], running: 0 }
  let running = 0
  let waiting = 0
  let sharedInARow = 0

  const laneOf = (caller: string | undefined): CallerQueue => {
    if (caller === undefined) return shared
    let lane = lanes.get(caller)
    if (!lane) lanes.set(caller, lane = { jobs: [], running: 0 })
    return lane
  }

  /** The caller's next turn comes after those of all others; without work it has none. */
  const toTheEnd = (caller: string | undefined, lane: CallerQueue): void => {
    if (caller === undefined) return
    lanes.delete(caller)
    if (lane.jobs.length > 0 || lane.running > 0) lanes.set(caller, lane)
  }

  const nextCaller = (): [string, CallerQueue] | undefined => {
    for (const entry of lanes) if (entry[1].jobs.length > 0 && entry[1].running < maxRunningPerCaller) return entry
    return undefined
  }

  const next = (): [string | undefined, CallerQueue] | undefined => {
    if (shared.jobs.length === 0) return nextCaller()
    const other = sharedInARow >= MAX_SHARED_IN_A_ROW ? nextCaller() : undefined
    return other ?? [undefined, shared]
  }

  const serve = (): void => {
    while (running < maxRunning && waiting > 0) {
      const turn = next()
      if (!turn) return
      const [caller, lane] = turn
      sharedInARow = caller === undefined ? sharedInARow + 1 : 0
      waiting--
      running++
      lane.running++
      const start = lane.jobs.shift()
      toTheEnd(caller, lane)
      start?.()
    }
  }

  const ended = (caller: string | undefined, lane: CallerQueue): void => {
    running--
    lane.running--
    toTheEnd(caller, lane)
    serve()
  }

  return {
    get waiting () {
      return waiting
    },

    run: (work) => new Promise((resolve, reject) => {
      const caller = currentCaller()
      const lane = laneOf(caller)
      const waited: { timer?: NodeJS.Timeout } = {}
      const job = (): void => {
        clearTimeout(waited.timer)
        const finish = (): void => ended(caller, lane)
        const done = work()
        done.then(resolve, reject)
        done.then(finish, finish)
      }
      lane.jobs.push(job)
      waiting++
      serve()
      if (maxWaitMs === undefined || lane.jobs.at(-1) !== job) return
      waited.timer = setTimeout(() => {
        lane.jobs.splice(lane.jobs.indexOf(job), 1)
        waiting--
        toTheEnd(caller, lane)
        reject(waitedTooLong())
      }, maxWaitMs)
    })
  }
}
