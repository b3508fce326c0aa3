/**
 * The desk where work is left to go on by itself: hands out a task for it, does it, asks through the task what the work
 * asks, and keeps how it ended. SEP-2663
 */
import { randomBytes } from 'node:crypto'
import type { Bus } from '../event-bus.js'
import type { Answers, InputStep, Step } from '../request-context.js'
import { Fault, Refusal } from '../../lib/errors.js'
import type { Keyed, TaskEnd, TaskRecord, Tasks } from '../../db/sql-task-store.js'

export interface Handover<Result> {
  work: AsyncGenerator<Step, Result, unknown>
  /** The id of the credential that it belongs to. */
  owner: string
  /** What the work listens to; fired to make it end. */
  stop: { readonly signal: AbortSignal, now (): void }
  /** The result of the request, as the client would have got it. */
  framed (result: Result): Keyed
  /** The error of the request, as the client would have got it. */
  failed (error: unknown): { code: number, message: string, data?: unknown }
  /** Whether the client can answer this. */
  check (step: InputStep): void
  isAnswer (method: string, value: unknown): boolean
}

export interface TaskDesk {
  /** How many tasks this process works on. */
  readonly underWay: number
  /** Resolves once any server can find the task; throws a `Fault` when the owner has too many under way. */
  leave<Result> (handover: Handover<Result>): Promise<TaskRecord>
  get: Tasks['get']
  answer: Tasks['answer']
  cancel: Tasks['cancel']
  /** Each state of a task from now on, until it has ended or the signal fires. */
  watch (id: string, owner: string, signal: AbortSignal): AsyncGenerator<TaskRecord, void, unknown>
  /** Ends the work of this process. */
  close (): Promise<void>
}

export interface DeskOptions {
  ttlMs?: number
  pollIntervalMs?: number
  /** Tasks that one credential may have under way. */
  most?: number
}

const LEASE_MS = 30_000
/** How often work that hears nothing looks by itself. */
const ROUND_MS = 5000

export const taskDesk = (tasks: Tasks, bus: Bus, { ttlMs = 3_600_000, pollIntervalMs = 1000, most = 32 }: DeskOptions = {}): TaskDesk => {
  const busy = new Set<() => Promise<void>>()
  const changed = (id: string): void => bus.publish('task', { id })

  /** Calls back when something was done to a task, and now and then. */
  const attendTo = (id: string, look: () => void): () => void => {
    const round = setInterval(look, ROUND_MS).unref()
    const unsubscribe = bus.subscribe('task', (signal) => { if (signal.id === id) look() })
    return () => {
      clearInterval(round)
      unsubscribe()
    }
  }

  const run = async <Result> (id: string, { work, stop, framed, failed, check, isAnswer }: Handover<Result>): Promise<void> => {
    let heard: Keyed = {}
    let wake = (): void => {}
    const look = (): void => {
      tasks.attend(id, LEASE_MS).then((state) => {
        if (!state || state.cancelled) stop.now()
        else heard = state.responses
        wake()
      }, () => { /* the next round tries again */ })
    }
    const leave = attendTo(id, look)
    const stopped = new Promise<never>((_resolve, reject) => {
      stop.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
    })
    stopped.catch(() => {})
    const used = new Set<string>()

    /** Puts the questions to the task, each under a key that it has not used before, and waits for all answers. */
    const ask = async (step: InputStep): Promise<Answers> => {
      check(step)
      const keys = Object.keys(step.requests).map((key) => ({ key, as: unused(key, used) }))
      await tasks.ask(id, Object.fromEntries(keys.map(({ key, as }) => [as, step.requests[key]])))
      changed(id)
      for (;;) {
        const missing = keys.filter(({ key, as }) => !isAnswer(step.requests[key]!.method, heard[as]))
        if (missing.length === 0) return Object.fromEntries(keys.map(({ key, as }) => [key, heard[as] as Answers[string]]))
        const wrong = missing.filter(({ as }) => as in heard)
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
          if (done) return { status: 'completed', result: framed(value) }
          if (value.kind === 'progress' && value.message !== undefined) {
            await tasks.note(id, value.message)
            changed(id)
          } else if (value.kind === 'input') {
            try {
              const answers = await ask(value)
              resume = () => work.next(answers)
            } catch (error) {
              if (stop.signal.aborted) throw error
              resume = () => work.throw(error)
            }
          }
        }
      } catch (error) {
        work.return(undefined as never).catch(() => {})
        if (stop.signal.aborted) return { status: 'cancelled' }
        const { message, ...rest } = failed(error)
        return { status: 'failed', message, error: { ...rest, message } }
      }
    }

    try {
      await tasks.end(id, await end())
    } finally {
      leave()
      changed(id)
    }
  }

  return {
    get underWay () {
      return busy.size
    },

    async leave (handover) {
      const id = randomBytes(24).toString('base64url')
      const created = await tasks.create({ id, owner: handover.owner, ttlMs, pollIntervalMs, leaseMs: LEASE_MS }, most)
      if (!created) {
        throw new Fault('too_many_tasks', `This credential has ${most} tasks under way, as many as it may. Wait for one to end, or cancel one.`,
          { scope: 'tasks', limit: most })
      }
      const expiry = setTimeout(() => handover.stop.now(), ttlMs).unref()
      const finish = (): Promise<void> => {
        handover.stop.now()
        return running
      }
      const running = run(id, handover).catch(() => { /* the lease runs out, and with it the task */ }).then(() => {
        clearTimeout(expiry)
        busy.delete(finish)
      })
      busy.add(finish)
      return created
    },

    get: (id, owner) => tasks.get(id, owner),

    async answer (id, owner, responses) {
      const known = await tasks.answer(id, owner, responses)
      if (known) changed(id)
      return known
    },

    async cancel (id, owner) {
      const known = await tasks.cancel(id, owner)
      if (known) changed(id)
      return known
    },

    async * watch (id, owner, signal) {
      let news = true
      let wake = (): void => {}
      const look = (): void => {
        news = true
        wake()
      }
      const leave = attendTo(id, look)
      signal.addEventListener('abort', look, { once: true })
      try {
        let told = JSON.stringify(await tasks.get(id, owner))
        while (!signal.aborted) {
          if (!news) await new Promise<void>((resolve) => { wake = resolve })
          news = false
          const task = await tasks.get(id, owner)
          if (!task) return
          const state = JSON.stringify(task)
          if (state !== told) yield task
          told = state
          if (['completed', 'failed', 'cancelled'].includes(task.status)) return
        }
      } finally {
        leave()
        signal.removeEventListener('abort', look)
      }
    },

    async close () {
      await Promise.all([...busy].map((finish) => finish()))
    }
  }
}

/** SEP-2663: a key is never used for two questions of one task. */
const unused = (key: string, used: Set<string>): string => {
  let as = key
  for (let n = 2; used.has(as); n++) as = `${key}-${n}`
  used.add(as)
  return as
}
