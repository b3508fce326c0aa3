/** Contains the errors of listeners, meters and tracers, so that a failing observer cannot fail a request. */

const REPORT_EVERY_MS = 60_000

/** Creates a function that reports an error at most once a minute, with the number of those skipped since. */
export const createFailureReporter = (
  report: (error: unknown, unreported: number) => void
): ((error: unknown) => void) => {
  let reportedAt = -Infinity
  let unreported = 0
  return (error) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) {
      unreported++
      return
    }
    reportedAt = performance.now()
    try {
      report(error, unreported)
    } catch {
      // An error of the reporter itself can be reported nowhere.
    }
    unreported = 0
  }
}

/**
 * Wraps a listener so that it never throws. An error, thrown or from a rejected promise, goes to `failed`.
 * The wrapper does not await the promise, so a listener that never settles delays nothing.
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

/** Returns an object of the same methods, each isolated. The methods must return nothing. */
export const isolateAll = <Listeners extends { [Name in keyof Listeners]: (...args: never[]) => void }>(
  listeners: Listeners, failed: (error: unknown) => void
): Listeners => {
  const entries = Object.entries<(...args: never[]) => void>(listeners)
  return Object.fromEntries(entries.map(([name, listener]) => [name, isolate(listener, failed)])) as Listeners
}
