/** What has to be done now and then while the server runs: to note expired credentials, to let the oldest audit events go. */

export interface Chore { everyMs: number, work: () => Promise<unknown> }

/** Resolves, when it is ended, once what is being done is done. */
export const upkeep = (chores: readonly Chore[], failed: (error: unknown) => void): { end (): Promise<void> } => {
  const busy = new Map<Chore, Promise<void>>()
  const timers = chores.map((chore) => {
    const run = (): void => {
      if (busy.has(chore)) return
      busy.set(chore, Promise.resolve().then(() => chore.work()).then(() => {}, failed).finally(() => busy.delete(chore)))
    }
    run()
    return setInterval(run, chore.everyMs).unref()
  })
  return {
    async end () {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(busy.values())
    }
  }
}
