/** Cancels a request when its caller disconnects, cancels it or loses access. Creates its AbortController only when someone listens. */
import { Fault } from '../lib/errors.js'

export class LazyAbortController {
  aborted = false
  #controller: AbortController | undefined
  #unlisten: (() => void) | undefined
  readonly #listen: (abort: () => void) => (() => void) | undefined

  /** `listen` is called once, when there is something to stop; gives what ends the listening. */
  constructor (listen: (abort: () => void) => (() => void) | undefined) {
    this.#listen = listen
  }

  /** Made when it is first read. */
  get signal (): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.aborted) this.#controller.abort()
      else this.#unlisten = this.#listen(() => this.abort())
    }
    return this.#controller.signal
  }

  abort (): void {
    this.aborted = true
    this.#controller?.abort()
  }

  /** Waits for a promise unless the request is stopped first: then rejects with the fault `cancelled`. */
  race<T> (promise: Promise<T>): Promise<T> {
    if (!this.#controller) return promise
    const { signal } = this.#controller
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(new Fault('cancelled', 'The request was taken back.'))
      if (signal.aborted) onAbort()
      signal.addEventListener('abort', onAbort, { once: true })
      promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
    })
  }

  /** Nobody needs to listen any more. */
  dispose (): void {
    this.#unlisten?.()
  }
}
