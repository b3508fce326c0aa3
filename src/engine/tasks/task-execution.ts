/** One handler that runs as a task: its questions go to the client through the task, and its end is stored. */
import type { JsonObject } from '../../lib/json/json-object.js'
import { Refusal } from '../../lib/errors.js'
import { HandlerRun, type HandlerGenerator } from '../handler-run.js'
import type { InputRequest, InputRequired, InputResponses } from '../request-context.js'
import type { TaskEnd, TaskStore } from './task-store.js'

/** A running handler that goes on as a task. */
export interface TaskHandoff<Result> {
  work: HandlerGenerator<Result>
  /** The id of the credential that it belongs to. */
  owner: string
  /** What the work listens to; fired to make it end. */
  cancellation: { readonly signal: AbortSignal, abort (): void }
  /** The result of the request, as the client would have got it. */
  toResult (result: Result): JsonObject
  /** The error of the request, as the client would have got it. */
  toError (error: unknown): { code: number, message: string, data?: unknown }
  /** Throws a `Fault` when the client cannot answer this. */
  requireAnswerable (step: InputRequired): void
  isInputResponse (request: InputRequest, value: unknown): value is Readonly<Record<string, unknown>>
}

export interface TaskExecutionDeps {
  store: TaskStore
  leaseMs: number
  /** Tells the other replicas that the task changed. */
  changed (): void
  /** Calls `refresh` when something was done to the task, and now and then. Returns the function that stops it. */
  onSignal (refresh: () => void): () => void
}

/** Create one for each task, and call `run` once. */
export class TaskExecution<Result> {
  readonly #id: string
  readonly #handoff: TaskHandoff<Result>
  readonly #deps: TaskExecutionDeps
  readonly #usedKeys = new Set<string>()
  readonly #aborted: Promise<never>
  #responses: JsonObject = {}
  #wake = (): void => {}

  constructor (id: string, handoff: TaskHandoff<Result>, deps: TaskExecutionDeps) {
    this.#id = id
    this.#handoff = handoff
    this.#deps = deps
    const { signal } = handoff.cancellation
    this.#aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('The task was cancelled.')), { once: true })
    })
    this.#aborted.catch(() => {})
  }

  /** Resolves when the end of the task is stored. Rejects when it cannot be. */
  async run (): Promise<void> {
    const { store, changed, onSignal } = this.#deps
    const unsubscribe = onSignal(() => this.#refresh())
    try {
      await store.end(this.#id, await this.#drive())
    } finally {
      unsubscribe()
      changed()
    }
  }

  async #drive (): Promise<TaskEnd> {
    const { cancellation: { signal }, toError, toResult, work } = this.#handoff
    const run = new HandlerRun(work, (step) => Promise.race([step, this.#aborted]))
    try {
      for (;;) {
        const { done, value } = await run.next()
        if (done) return { status: 'completed', result: toResult(value) }
        if (value.kind === 'progress' && value.message !== undefined) {
          await this.#deps.store.note(this.#id, value.message)
          this.#deps.changed()
        } else if (value.kind === 'input') {
          await run.answer(this.#ask(value))
          signal.throwIfAborted()
        }
      }
    } catch (error) {
      run.stop().catch(() => {})
      if (signal.aborted) return { status: 'cancelled' }
      const { message, ...rest } = toError(error)
      return { status: 'failed', message, error: { ...rest, message } }
    }
  }

  /** Puts the requests to the task, each under a key that it has not used before, and waits for all responses. */
  async #ask (step: InputRequired): Promise<InputResponses> {
    const { isInputResponse, requireAnswerable } = this.#handoff
    requireAnswerable(step)
    const taskRequests = Object.entries(step.requests)
      .map(([key, request]) => ({ key, request, taskKey: unusedKey(key, this.#usedKeys) }))
    const requests = Object.fromEntries(taskRequests.map(({ request, taskKey }) => [taskKey, request]))
    await this.#deps.store.ask(this.#id, requests)
    this.#deps.changed()
    for (;;) {
      const responses: Record<string, Readonly<Record<string, unknown>>> = {}
      for (const { key, request, taskKey } of taskRequests) {
        const response = this.#responses[taskKey]
        if (isInputResponse(request, response)) responses[key] = response
        else if (taskKey in this.#responses) {
          throw new Refusal('The client answered with something else than was asked for.')
        }
      }
      if (Object.keys(responses).length === taskRequests.length) return responses
      await Promise.race([new Promise<void>((resolve) => { this.#wake = resolve }), this.#aborted])
    }
  }

  /** Renews the lease, and reads what the client has sent since. */
  #refresh (): void {
    const { store, leaseMs } = this.#deps
    store.renewLease(this.#id, leaseMs).then((state) => {
      if (!state || state.cancelled) this.#handoff.cancellation.abort()
      else this.#responses = state.responses
      this.#wake()
    }, () => { /* the next round tries again */ })
  }
}

/** SEP-2663: a key is never used for two requests of one task. */
const unusedKey = (key: string, used: Set<string>): string => {
  let unused = key
  for (let n = 2; used.has(unused); n++) unused = `${key}-${n}`
  used.add(unused)
  return unused
}
