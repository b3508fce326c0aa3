/** Cancels a request when its caller disconnects, cancels it or loses access. */
import { untilAborted } from '../lib/async/deadline.js'

export interface CancellationSource {
  /** Subscribes `abort` to the causes of a cancellation. Returns the function that unsubscribes it. */
  listen (abort: () => void): (() => void) | undefined
}

/** Most requests are answered before anybody reads `signal`, and then no AbortController is created. */
export class LazyAbortController {
  aborted = false
  #controller: AbortController | undefined
  #unlisten: (() => void) | undefined

  constructor (private readonly source: CancellationSource) {}

  get signal (): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.aborted) this.#controller.abort()
      else this.#unlisten = this.source.listen(() => this.abort())
    }
    return this.#controller.signal
  }

  abort (): void {
    this.aborted = true
    this.#controller?.abort()
  }

  race<T> (promise: Promise<T>): Promise<T> {
    return this.#controller ? untilAborted(promise, this.#controller.signal) : promise
  }

  /** Unsubscribes from the causes of a cancellation. Call it when the request is over. */
  dispose (): void {
    this.#unlisten?.()
  }
}
