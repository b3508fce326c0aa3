/** Keeps those who watch the server from harming what they watch: listeners, meters, tracers. */

const REPORT_EVERY_MS = 60_000

/** Reports an error at most once a minute, with how many were not reported since; never throws itself. */
export const createFailureReporter = (
  report: (error: unknown, unreported: number) => void, now: () => number = () => performance.now()
): ((error: unknown) => void) => {
  let reportedAt = -Infinity
  let unreported = 0
  return (error) => {
    if (now() - reportedAt < REPORT_EVERY_MS) {
      unreported++
      return
    }
    reportedAt = now()
    try {
      report(error, unreported)
    } catch {
      // There is nobody left to tell.
    }
    unreported = 0
  }
}

/**
 * A listener that neither throws nor rejects: what it throws, or what a promise that it gives rejects with, goes to `failed`.
 * Nobody waits for that promise, so a listener that never ends holds nothing up.
 */
export const isolate = <Args extends unknown[]>(
  listener: (...args: Args) => unknown, failed: (error: unknown) => void
) => (...args: Args): void => {
    try {
      const result = listener(...args)
      if (result instanceof Promise) result.catch(failed)
    } catch (error) {
      failed(error)
    }
  }

/** An object whose methods are all isolated. For objects of methods that give nothing back. */
export const isolateAll = <Listeners extends { [Name in keyof Listeners]: (...args: never[]) => void }>(
  listeners: Listeners, failed: (error: unknown) => void
): Listeners => {
  const entries = Object.entries<(...args: never[]) => void>(listeners)
  return Object.fromEntries(entries.map(([name, listener]) => [name, isolate(listener, failed)])) as Listeners
}
