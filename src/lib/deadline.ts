/** An end to waiting for what may never answer. */
import { unavailable } from './errors.js'

/**
 * What the work gives, unless it takes longer than `timeoutMs` milliseconds. The work itself goes on: what becomes of it then is
 * nobody's concern.
 * @throws the fault `unavailable` with `message`, when the time is over
 */
export const withDeadline = async <T>(work: () => Promise<T>, timeoutMs: number, message: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable(message, new Error(`no answer within ${timeoutMs} ms`))), timeoutMs).unref()
  })
  try {
    return await Promise.race([work(), expired])
  } finally {
    clearTimeout(timer)
  }
}
