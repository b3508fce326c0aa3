/**
 * Cancels a request when its caller disconnects, cancels it or loses access. Creates its AbortController only when
 * someone listens.
 */
import { Fault } from '../lib/errors.js'

/** What can cancel a request. */
export interface CancellationSource {
  /** Subscribes `abort` to the causes of a cancellation. Returns the function that unsubscribes it. */
  listen (abort: () => void): (() => void) | undefined
}

/**
 * The cancellation of one request. Most requests are answered before anybody reads `signal`, and then no
 * AbortController is created.
 */
export class LazyAbortController {
  aborted = false
  #controller: AbortController | undefined
  #unlisten: (() => void) | undefined
  readonly #source: CancellationSource

  /** `source.listen` is called when `signal` is first read. */
  constructor (source: CancellationSource) {
    this.#source = source
  }

  /** Created on the first read. */
  get signal (): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.aborted) this.#controller.abort()
      else this.#unlisten = this.#source.listen(() => this.abort())
    }
    return this.#controller.signal
  }

  /** Cancels the request now. */
  abort (): void {
    this.aborted = true
    this.#controller?.abort()
  }

  /** Waits for `promise`. When the request is cancelled first, rejects with the `Fault` `cancelled`. */
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

  /** Unsubscribes from the causes of a cancellation. Call it when the request is over. */
  dispose (): void {
    this.#unlisten?.()
  }
}
