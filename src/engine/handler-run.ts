/** Runs a handler that is an async generator, one event at a time. */
import type { HandlerEvent, InputResponses } from './request-context.js'

/** A handler that yields events before it returns its result. */
export type HandlerGenerator<Result> = AsyncGenerator<HandlerEvent, Result, unknown>

/** Waits for a step of the handler, or rejects when the request is over before. */
export type RaceStep = <T>(step: Promise<T>) => Promise<T>

/** A handler while it runs. After an event that requests input, call `answer` before the next `next`. */
export class HandlerRun<Result> {
  readonly #work: HandlerGenerator<Result>
  readonly #race: RaceStep
  /** What the next step gives to the handler, or throws into it. */
  #answer: { responses?: InputResponses, refusal?: { error: unknown } } = {}

  constructor (work: HandlerGenerator<Result>, race: RaceStep) {
    this.#work = work
    this.#race = race
  }

  /** Resolves with the next event, or with the result. Rejects with what the handler throws. */
  next (): Promise<IteratorResult<HandlerEvent, Result>> {
    const { responses, refusal } = this.#answer
    this.#answer = {}
    return this.#race(refusal ? this.#work.throw(refusal.error) : this.#work.next(responses))
  }

  /** Waits for responses. The next step gives them to the handler, or throws into it why there are none. */
  async answer (responses: InputResponses | Promise<InputResponses>): Promise<void> {
    try {
      this.#answer = { responses: await responses }
    } catch (error) {
      this.#answer = { refusal: { error } }
    }
  }

  /** Ends the handler where it stands. A handler that waits for something else ends when that is over. */
  stop (): Promise<unknown> {
    // No caller reads the result of a stopped handler.
    return this.#work.return(undefined as never)
  }
}
