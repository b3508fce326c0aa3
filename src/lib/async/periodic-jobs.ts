/** Runs jobs at intervals while the server runs, such as marking expired credentials and purging old audit events. */

export interface PeriodicJob {
  everyMs: number
  /** When the first run begins, in milliseconds from now; at once when absent. */
  firstAfterMs?: number
  work: () => Promise<unknown>
}

/** Skips a run while the previous one is still going. `stop` resolves when the running jobs have finished. */
export const startPeriodicJobs = (
  jobs: readonly PeriodicJob[], failed: (error: unknown) => void
): { stop (): Promise<void> } => {
  const busy = new Map<PeriodicJob, Promise<void>>()
  const timers = jobs.flatMap((job) => {
    const run = (): void => {
      if (busy.has(job)) return
      busy.set(job, Promise.resolve().then(() => job.work()).then(() => {}, failed).finally(() => busy.delete(job)))
    }
    const every = setInterval(run, job.everyMs)
    if (job.firstAfterMs !== undefined) return [every, setTimeout(run, job.firstAfterMs)]
    run()
    return [every]
  })
  for (const timer of timers) timer.unref()
  return {
    async stop () {
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(busy.values())
    }
  }
}
