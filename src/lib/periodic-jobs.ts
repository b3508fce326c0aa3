/** Runs jobs at intervals while the server runs, such as marking expired credentials and purging old audit events. */

export interface PeriodicJob { everyMs: number, work: () => Promise<unknown> }

/** Resolves, when it is ended, once what is being done is done. */
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
