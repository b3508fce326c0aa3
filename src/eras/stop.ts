/** How a request is stopped before its end: its caller goes, takes it back, or may no longer ask. Costs nothing until someone listens. */
import { Fault } from '../errors.js'

export interface Stop {
  /** Made when it is first read. */
  readonly signal: AbortSignal
  /** Whether the request was stopped. */
  readonly stopped: boolean
  now (): void
  /** Waits for a promise unless the request is stopped first: then rejects with the fault `cancelled`. */
  orElse<T> (promise: Promise<T>): Promise<T>
  /** Nobody needs to listen any more. */
  over (): void
}

/** `listen` is called once, when there is something to stop; gives what ends the listening. */
export const stopper = (listen: (now: () => void) => (() => void) | undefined): Stop => {
  let controller: AbortController | undefined
  let stopped = false
  let unlisten: (() => void) | undefined
  const now = (): void => {
    stopped = true
    controller?.abort()
  }
  return {
    now,
    get stopped () {
      return stopped
    },
    get signal () {
      if (!controller) {
        controller = new AbortController()
        if (stopped) controller.abort()
        else unlisten = listen(now)
      }
      return controller.signal
    },
    orElse (promise) {
      if (!controller) return promise
      const { signal } = controller
      return new Promise((resolve, reject) => {
        const stop = (): void => reject(new Fault('cancelled', 'The request was taken back.'))
        if (signal.aborted) stop()
        signal.addEventListener('abort', stop, { once: true })
        promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
      })
    },
    over () {
      unlisten?.()
    }
  }
}
