/** One handler that runs as a task: its questions go to the client through the task, and its end is stored. */
import type { JsonObject } from '../../lib/json/json-object.js'
import { untilAborted } from '../../lib/async/deadline.js'
import { Refusal } from '../../lib/errors.js'
import type { HandlerGenerator, InputRequest, InputRequired, InputResponses } from '../request-context.js'
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
  readonly #usedKeys = new Set<string>()
  #responses: JsonObject = {}
  #wake = (): void => {}

  constructor (
    private readonly id: string, private readonly handoff: TaskHandoff<Result>,
    private readonly deps: TaskExecutionDeps
  ) {}

  /** Resolves when the end of the task is stored. Rejects when it cannot be. */
  async run (): Promise<void> {
    const { store, changed, onSignal } = this.deps
    const unsubscribe = onSignal(() => this.#refresh())
    try {
      await store.end(this.id, await this.#drive())
    } finally {
      unsubscribe()
      changed()
    }
  }

  async #drive (): Promise<TaskEnd> {
    const { handoff: { cancellation: { signal }, toError, toResult, work }, deps: { store, changed } } = this
    try {
      for (let next = work.next(); ;) {
        const { done, value } = await untilAborted(next, signal)
        if (done) return { status: 'completed', result: toResult(value) }
        if (value.kind === 'input') {
          next = this.#ask(value).then((responses) => work.next(responses), (error: unknown) => work.throw(error))
          continue
        }
        if (value.kind === 'progress' && value.message !== undefined) {
          await store.note(this.id, value.message)
          changed()
        }
        next = work.next()
      }
    } catch (error) {
      // No caller reads the result of a stopped handler.
      work.return(undefined as never).catch(() => {})
      if (signal.aborted) return { status: 'cancelled' }
      const { message, ...rest } = toError(error)
      return { status: 'failed', message, error: { ...rest, message } }
    }
  }

  /** Puts the requests to the task, each under a key that it has not used before, and waits for all responses. */
  async #ask (step: InputRequired): Promise<InputResponses> {
    const { cancellation: { signal }, isInputResponse, requireAnswerable } = this.handoff
    requireAnswerable(step)
    const taskRequests = Object.entries(step.requests)
      .map(([key, request]) => ({ key, request, taskKey: unusedKey(key, this.#usedKeys) }))
    const requests = Object.fromEntries(taskRequests.map(({ request, taskKey }) => [taskKey, request]))
    await this.deps.store.ask(this.id, requests)
    this.deps.changed()
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
      await untilAborted(new Promise<void>((resolve) => { this.#wake = resolve }), signal)
    }
  }

  /** Renews the lease, and reads what the client has sent since. */
  #refresh (): void {
    const { store, leaseMs } = this.deps
    store.renewLease(this.id, leaseMs).then((state) => {
      if (!state || state.cancelled) this.handoff.cancellation.abort()
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
