/**
 * Runs handlers as tasks: creates the task, drives the handler, puts its input requests to the client through the task,
 * and stores the result. SEP-2663
 */
import { randomBytes } from 'node:crypto'
import type { EventBus } from '../event-bus.js'
import type { InputResponses, InputRequired, HandlerEvent } from '../request-context.js'
import { Fault, Refusal } from '../../lib/errors.js'
import type { JsonObject, TaskEnd, TaskRecord, TaskStore } from './task-store.js'

/** A running handler that goes on as a task. */
export interface TaskHandoff<Result> {
  work: AsyncGenerator<HandlerEvent, Result, unknown>
  /** The id of the credential that it belongs to. */
  owner: string
  /** What the work listens to; fired to make it end. */
  cancellation: { readonly signal: AbortSignal, abort (): void }
  /** The result of the request, as the client would have got it. */
  toResult (result: Result): JsonObject
  /** The error of the request, as the client would have got it. */
  toError (error: unknown): { code: number, message: string, data?: unknown }
  /** Whether the client can answer this. */
  requireAnswerable (step: InputRequired): void
  isInputResponse (method: string, value: unknown): boolean
}

/** Runs handlers as tasks, and answers for the tasks of all replicas. */
export interface TaskRunner {
  /** How many tasks this process works on. */
  readonly running: number
  /** Resolves once any server can find the task; throws a `Fault` when the owner has too many under way. */
  submit<Result> (handoff: TaskHandoff<Result>): Promise<TaskRecord>
  get: TaskStore['get']
  answer: TaskStore['answer']
  cancel: TaskStore['cancel']
  /** Each state of a task from now on, until it has ended or the signal fires. */
  watch (id: string, owner: string, signal: AbortSignal): AsyncGenerator<TaskRecord, void, unknown>
  /** Ends the work of this process. */
  close (): Promise<void>
}

/** Bounds of tasks. */
export interface TaskRunnerOptions {
  /** How long a task and its result exist after its creation, in milliseconds; an hour by default. */
  ttlMs?: number
  /** How often clients should ask, in milliseconds; 1,000 by default. */
  pollIntervalMs?: number
  /** Tasks that one credential may have under way; 32 by default. */
  maxRunning?: number
}

const LEASE_MS = 30_000
/** Poll interval when no bus signal arrives. */
const POLL_MS = 5000

/**
 * Creates the runner of one process. Signals of the bus tell it what other replicas did to its tasks; without one it
 * looks every 5 s.
 */
export const createTaskRunner = (
  tasks: TaskStore, bus: EventBus, { ttlMs = 3_600_000, pollIntervalMs = 1000, maxRunning = 32 }: TaskRunnerOptions = {}
): TaskRunner => {
  const active = new Set<() => Promise<void>>()
  const changed = (id: string): void => bus.publish('task', { id })

  /** Calls back when something was done to a task, and now and then. */
  const onTaskSignal = (id: string, refresh: () => void): () => void => {
    const poll = setInterval(refresh, POLL_MS).unref()
    const unsubscribe = bus.subscribe('task', (signal) => { if (signal.id === id) refresh() })
    return () => {
      clearInterval(poll)
      unsubscribe()
    }
  }

  const run = async <Result> (
    id: string, { work, cancellation, toResult, toError, requireAnswerable, isInputResponse }: TaskHandoff<Result>
  ): Promise<void> => {
    let responses: JsonObject = {}
    let wake = (): void => {}
    const refresh = (): void => {
      tasks.renewLease(id, LEASE_MS).then((state) => {
        if (!state || state.cancelled) cancellation.abort()
        else responses = state.responses
        wake()
      }, () => { /* the next round tries again */ })
    }
    const unsubscribe = onTaskSignal(id, refresh)
    const stopped = new Promise<never>((_resolve, reject) => {
      cancellation.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
    })
    stopped.catch(() => {})
    const used = new Set<string>()

    /** Puts the questions to the task, each under a key that it has not used before, and waits for all answers. */
    const ask = async (step: InputRequired): Promise<InputResponses> => {
      requireAnswerable(step)
      const keys = Object.keys(step.requests).map((key) => ({ key, as: unusedKey(key, used) }))
      await tasks.ask(id, Object.fromEntries(keys.map(({ key, as }) => [as, step.requests[key]])))
      changed(id)
      for (;;) {
        const missing = keys.filter(({ key, as }) => !isInputResponse(step.requests[key]!.method, responses[as]))
        if (missing.length === 0) return Object.fromEntries(keys.map(({ key, as }) => [key, responses[as] as InputResponses[string]]))
        const wrong = missing.filter(({ as }) => as in responses)
        if (wrong.length > 0) throw new Refusal('The client answered with something else than was asked for.')
        await Promise.race([new Promise<void>((resolve) => { wake = resolve }), stopped])
      }
    }

    const end = async (): Promise<TaskEnd> => {
      try {
        let resume = (): ReturnType<typeof work.next> => work.next()
        for (;;) {
          const { done, value } = await Promise.race([resume(), stopped])
          resume = () => work.next()
          if (done) return { status: 'completed', result: toResult(value) }
          if (value.kind === 'progress' && value.message !== undefined) {
            await tasks.note(id, value.message)
            changed(id)
          } else if (value.kind === 'input') {
            try {
              const answers = await ask(value)
              resume = () => work.next(answers)
            } catch (error) {
              if (cancellation.signal.aborted) throw error
              resume = () => work.throw(error)
            }
          }
        }
      } catch (error) {
        work.return(undefined as never).catch(() => {})
        if (cancellation.signal.aborted) return { status: 'cancelled' }
        const { message, ...rest } = toError(error)
        return { status: 'failed', message, error: { ...rest, message } }
      }
    }

    try {
      await tasks.end(id, await end())
    } finally {
      unsubscribe()
      changed(id)
    }
  }

  return {
    get running () {
      return active.size
    },

    async submit (handoff) {
      const id = randomBytes(24).toString('base64url')
      const created = await tasks.create({ id, owner: handoff.owner, ttlMs, pollIntervalMs, leaseMs: LEASE_MS }, maxRunning)
      if (!created) {
        throw new Fault('too_many_tasks', `This credential has ${maxRunning} tasks under way, as many as it may. Wait for one to end, or cancel one.`,
          { scope: 'tasks', limit: maxRunning })
      }
      const expiry = setTimeout(() => handoff.cancellation.abort(), ttlMs).unref()
      const finish = (): Promise<void> => {
        handoff.cancellation.abort()
        return running
      }
      const running = run(id, handoff).catch(() => { /* the lease runs out, and with it the task */ }).then(() => {
        clearTimeout(expiry)
        active.delete(finish)
      })
      active.add(finish)
      return created
    },

    get: (id, owner) => tasks.get(id, owner),

    async answer (id, owner, responses) {
      const found = await tasks.answer(id, owner, responses)
      if (found) changed(id)
      return found
    },

    async cancel (id, owner) {
      const found = await tasks.cancel(id, owner)
      if (found) changed(id)
      return found
    },

    async * watch (id, owner, signal) {
      let hasNews = true
      let wake = (): void => {}
      const refresh = (): void => {
        hasNews = true
        wake()
      }
      const unsubscribe = onTaskSignal(id, refresh)
      signal.addEventListener('abort', refresh, { once: true })
      try {
        let lastState = JSON.stringify(await tasks.get(id, owner))
        while (!signal.aborted) {
          if (!hasNews) await new Promise<void>((resolve) => { wake = resolve })
          hasNews = false
          const task = await tasks.get(id, owner)
          if (!task) return
          const state = JSON.stringify(task)
          if (state !== lastState) yield task
          lastState = state
          if (['completed', 'failed', 'cancelled'].includes(task.status)) return
        }
      } finally {
        unsubscribe()
        signal.removeEventListener('abort', refresh)
      }
    },

    async close () {
      await Promise.all([...active].map((finish) => finish()))
    }
  }
}

/** SEP-2663: a key is never used for two questions of one task. */
const unusedKey = (key: string, used: Set<string>): string => {
  let as = key
  for (let n = 2; used.has(as); n++) as = `${key}-${n}`
  used.add(as)
  return as
}
