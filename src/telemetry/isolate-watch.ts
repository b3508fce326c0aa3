/** A watch that cannot harm the messages that it watches. */
import type { Watch, Watched } from '../mcp/instrumentation.js'
import { isolate } from '../lib/isolate.js'

const UNWATCHED: Watched = { within: (work) => work(), ended: () => {} }

/** The same watch; what it throws goes to `failed`, and the message is worked on without it. */
export const isolateWatch = (watch: Watch, failed: (error: unknown) => void): Watch => (...message) => {
  try {
    const { within, ended } = watch(...message)
    return { within: (work) => runOnce(within, work, failed), ended: isolate(ended, failed) }
  } catch (error) {
    failed(error)
    return UNWATCHED
  }
}

/** Does the work exactly once, within what is watched where that is possible. What the work throws is thrown. */
const runOnce = <T>(within: Watched['within'], work: () => T, failed: (error: unknown) => void): T => {
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
