/** Limits how long a caller waits for work that may never finish. */
import { unavailable } from './errors.js'

/**
 * Resolves with the work's result, unless the work takes longer than `timeoutMs` milliseconds. After that the work goes
 * on, but its result or error is ignored.
 * @throws {Fault} `unavailable` with `message` when the time is over, otherwise the work's own error
 */
export const withDeadline = async <T>(work: () => Promise<T>, timeoutMs: number, message: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_resolve, reject) => {
    const cause = new Error(`no answer within ${timeoutMs} ms`)
    timer = setTimeout(() => reject(unavailable(message, cause)), timeoutMs).unref()
  })
  try {
    return await Promise.race([work(), expired])
  } finally {
    clearTimeout(timer)
  }
}
