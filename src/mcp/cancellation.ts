/** How a request is stopped before its end: its caller goes, takes it back, or may no longer ask. Costs nothing until someone listens. */
import { Fault } from '../lib/errors.js'

export class Stop {
  stopped = false
  #controller: AbortController | undefined
  #unlisten: (() => void) | undefined
  readonly #listen: (now: () => void) => (() => void) | undefined

  /** `listen` is called once, when there is something to stop; gives what ends the listening. */
  constructor (listen: (now: () => void) => (() => void) | undefined) {
    this.#listen = listen
  }

  /** Made when it is first read. */
  get signal (): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.stopped) this.#controller.abort()
      else this.#unlisten = this.#listen(() => this.now())
    }
    return this.#controller.signal
  }

  now (): void {
    this.stopped = true
    this.#controller?.abort()
  }

  /** Waits for a promise unless the request is stopped first: then rejects with the fault `cancelled`. */
  orElse<T> (promise: Promise<T>): Promise<T> {
    if (!this.#controller) return promise
    const { signal } = this.#controller
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(new Fault('cancelled', 'The request was taken back.'))
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    })
  }

  /** Nobody needs to listen any more. */
  over (): void {
    this.#unlisten?.()
  }
}
