/** Limits how long a caller waits for work that may never finish. */
import { once } from 'node:events'
import { unavailable } from '../errors.js'

/** Resolves with the work's result, unless that takes longer: then it rejects with `late()`, and the work goes on. */
export const withTimeout = <T>(work: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    // If this process was late itself, the result has arrived already: let it be read first.
    const expire = (): void => { setImmediate(() => setImmediate(() => reject(late()))) }
    const timer = setTimeout(expire, timeoutMs).unref()
    work.then((result) => {
      clearTimeout(timer)
      resolve(result)
    }, (error: unknown) => {
      clearTimeout(timer)
      reject(error)
    })
  })

/** @throws {Fault} `unavailable` with `message` when the time is over, otherwise the work's own error */
export const withDeadline = async <T>(work: () => Promise<T>, timeoutMs: number, message: string): Promise<T> =>
  await withTimeout(work(), timeoutMs, () => unavailable(message, new Error(`no answer within ${timeoutMs} ms`)))

/** Resolves with the work's result, unless the signal is aborted first: then it rejects with its reason. */
export const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  let onAbort = (): void => {}
  try {
    return await Promise.race([work, new Promise<never>((_resolve, reject) => {
      onAbort = () => reject(signal.reason)
      if (signal.aborted) onAbort()
      signal.addEventListener('abort', onAbort)
    })])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

export const aborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}
