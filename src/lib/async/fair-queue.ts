/**
 * A queue, such as before a database, that serves the callers in turn: a caller with many statements waiting delays
 * another one by one statement, not by all of them. Statements that belong to no single caller go first, as every
 * caller waits for them.
 */

interface FairQueueOptions {
  maxRunning: number
  /** Of one caller; work of no caller is not bounded by it. */
  maxRunningPerCaller?: number
  /** Pieces of work of one caller that may wait; as many as there are when absent. */
  maxWaitingPerCaller?: number
  /** Milliseconds that work waits at most; absent: as long as it takes. */
  maxWaitMs?: number
  /** What work is rejected with that waited too long, or may not wait. */
  waitedTooLong?: () => Error
}

/** How often in a row work of no caller goes first while a caller waits. */
const MAX_SHARED_IN_A_ROW = 4

interface CallerQueue { jobs: Array<() => void>, running: number }

export const createFairQueue = (
  {
    maxRunning, maxRunningPerCaller = maxRunning, maxWaitingPerCaller = Infinity, maxWaitMs,
    waitedTooLong = () => new Error('waited too long')
  }: FairQueueOptions
) => {
  // In the order of their turns; a caller is here while it has something waiting or running.
  const callerQueues = new Map<string, CallerQueue>()
  const shared: CallerQueue = { jobs: [], running: 0 }
  let running = 0
  let waiting = 0
  let sharedInARow = 0

  /** The caller's next turn comes after those of all others; without work it has none. */
  const toTheEnd = (caller: string | undefined, callerQueue: CallerQueue): void => {
    if (caller === undefined) return
    callerQueues.delete(caller)
    if (callerQueue.jobs.length > 0 || callerQueue.running > 0) callerQueues.set(caller, callerQueue)
  }

  const nextCaller = (): [string, CallerQueue] | undefined => {
    for (const entry of callerQueues) {
      const [, { jobs, running }] = entry
      if (jobs.length > 0 && running < maxRunningPerCaller) return entry
    }
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
      const [caller, callerQueue] = turn
      sharedInARow = caller === undefined ? sharedInARow + 1 : 0
      waiting--
      running++
      callerQueue.running++
      const start = callerQueue.jobs.shift()
      toTheEnd(caller, callerQueue)
      start?.()
    }
  }

  const finishJob = (caller: string | undefined, callerQueue: CallerQueue): void => {
    running--
    callerQueue.running--
    toTheEnd(caller, callerQueue)
    serve()
  }

  return {
    get waiting () { return waiting },

    /** Runs work in the turn of its caller, if any. @throws what `waitedTooLong` makes */
    run: <T>(work: () => Promise<T>, caller?: string): Promise<T> => new Promise((resolve, reject) => {
      const callerQueue = caller === undefined ? shared : callerQueues.get(caller) ?? { jobs: [], running: 0 }
      if (callerQueue.jobs.length >= maxWaitingPerCaller) {
        reject(waitedTooLong())
        return
      }
      const timeout: { timer?: NodeJS.Timeout } = {}
      const job = (): void => {
        clearTimeout(timeout.timer)
        const finish = (): void => finishJob(caller, callerQueue)
        const outcome = work()
        outcome.then(resolve, reject)
        outcome.then(finish, finish)
      }
      callerQueue.jobs.push(job)
      if (caller !== undefined) callerQueues.set(caller, callerQueue)
      waiting++
      serve()
      if (maxWaitMs === undefined || callerQueue.jobs.at(-1) !== job) return
      timeout.timer = setTimeout(() => {
        callerQueue.jobs.splice(callerQueue.jobs.indexOf(job), 1)
        waiting--
        toTheEnd(caller, callerQueue)
        reject(waitedTooLong())
      }, maxWaitMs)
    })
  }
}
