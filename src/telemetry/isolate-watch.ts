/** Keeps instrumentation from failing the messages that it observes. */
import type { Instrument, Instrumented } from '../engine/instrumentation.js'
import { isolate } from '../lib/async/isolate.js'
import { UNTRACED } from './tracing.js'

/** The same instrument. What it throws goes to `failed`, and the message is processed without it. */
export const isolateWatch = (watch: Instrument, failed: (error: unknown) => void): Instrument => (...message) => {
  try {
    const { run, finish } = watch(...message)
    return { run: (work) => runOnce(run, work, failed), finish: isolate(finish, failed) }
  } catch (error) {
    failed(error)
    return UNTRACED
  }
}

/** Runs the work exactly once, inside the instrumentation where it allows that. Rethrows what the work throws. */
const runOnce = <T>(within: Instrumented['run'], work: () => T, failed: (error: unknown) => void): T => {
  let outcome: { value: T } | { error: unknown } | undefined
  try {
    within(() => {
      try {
        outcome = { value: work() }
      } catch (error) {
        outcome = { error }
      }
    })
  } catch (error) {
    failed(error)
  }
  if (outcome === undefined) return work()
  if ('error' in outcome) throw outcome.error
  return outcome.value
}
