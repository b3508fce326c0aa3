/** The priority of a thread that computes for long, so that threads which answer at once go before it. */
import { getPriority, setPriority } from 'node:os'
import { platform } from 'node:process'

/** Steps of niceness: where all want a core, this thread gets a third of what each other thread gets. */
const STEPS = 5
const LEAST_PRIORITY = 19

/**
 * Lowers the priority of the thread that calls it. Does nothing where the system counts priorities by process: only
 * Linux takes 0 for the calling thread.
 */
export const lowerThreadPriority = (): void => {
  if (platform !== 'linux') return
  try {
    setPriority(0, Math.min(LEAST_PRIORITY, getPriority(0) + STEPS))
  } catch {
    // A sandbox may forbid it: the thread then competes with the others.
  }
}
