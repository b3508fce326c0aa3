/** Waits for something that can only be asked for again and again, such as a lock that another process has. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface PollOptions {
  /** Milliseconds after which no new call is made. */
  timeoutMs: number
  /** Milliseconds between the end of a call and the next one. */
  pauseMs: number
}

/** Calls `look`, at least once, until it resolves with a value or the time is over. */
export const poll = async <T>(
  look: () => Promise<T | undefined>, { timeoutMs, pauseMs }: PollOptions
): Promise<T | undefined> => {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found !== undefined || performance.now() >= deadline) return found
    await sleep(pauseMs)
  }
}
