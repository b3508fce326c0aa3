/** Runs jobs at intervals while the server runs, such as marking expired credentials and purging old audit events. */

export interface PeriodicJob { everyMs: number, work: () => Promise<unknown> }

/**
 * Runs each job at once and then every `everyMs` milliseconds. Skips a run while the previous one is still going.
 * @param failed receives the errors of the jobs
 * @returns `stop` ends the timers and resolves when the running jobs have finished
 */
export const startPeriodicJobs = (
  jobs: readonly PeriodicJob[], failed: (error: unknown) => void
): { stop (): Promise<void> } => {
  const busy = new Map<PeriodicJob, Promise<void>>()
  const timers = jobs.map((job) => {
    const run = (): void => {
      if (busy.has(job)) return
      busy.set(job, Promise.resolve().then(() => job.work()).then(() => {}, failed).finally(() => busy.delete(job)))
    }
    run()
    return setInterval(run, job.everyMs).unref()
  })
  return {
    async stop () {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(busy.values())
    }
  }
}
