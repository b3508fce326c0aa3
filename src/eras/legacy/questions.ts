/** Requests from the server to a legacy client: sent on the stream of the call that asks, answered by another POST of its session. */
import { randomUUID } from 'node:crypto'
import type { Bus } from '../../bus.js'
import type { InputStep } from '../../call.js'
import { Refusal } from '../../errors.js'
import { isObject } from '../../rpc/parse.js'
import type { Response } from '../../rpc/message.js'
import { isAnswer, type Asked } from '../input.js'

export interface Questions {
  ask (session: string, step: InputStep, signal: AbortSignal): Asked
  /** Hands an answer to who waits for it, wherever that is; what nobody waits for is ignored. */
  answer (session: string, response: Response): Promise<void>
}

interface Waiting {
  method: string
  resolve (answer: Readonly<Record<string, unknown>>): void
  reject (reason: Refusal): void
}

const PATIENCE_MS = 300_000

export const questions = (bus: Bus): Questions => {
  const waiting = new Map<string, Waiting>()

  const wait = (key: string, method: string, signal: AbortSignal) =>
    new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
      const settle = (outcome: () => void) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', gone)
        waiting.delete(key)
        outcome()
      }
      const give = (up: string) => settle(() => reject(new Refusal(up)))
      const gone = (): void => give('The client went away before it answered.')
      const timer = setTimeout(give, PATIENCE_MS, 'The client did not answer in time.').unref()
      signal.addEventListener('abort', gone, { once: true })
      waiting.set(key, {
        method,
        resolve: (answer) => settle(() => resolve(answer)),
        reject: (reason) => settle(() => reject(reason))
      })
    })

  /** False when nobody here waits for it. */
  const take = (session: string, { id, result }: Response): boolean => {
    const who = waiting.get(`${session} ${id}`)
    if (!who) return false
    if (isAnswer(who.method, result)) who.resolve(result)
    else who.reject(new Refusal(isObject(result) ? 'The client answered with something else than was asked for.' : 'The client refused to answer.'))
    return true
  }
  bus.subscribe('answered', ({ session, response }) => { take(session, response) })

  return {
    ask (session, { requests }, signal) {
      const asked = Object.entries(requests).map(([key, { method, params }]) => ({ key, method, params, id: randomUUID() }))
      const answers = Promise.all(asked.map(async ({ key, method, id }) => [key, await wait(`${session} ${id}`, method, signal)] as const))
      // Heard by whoever takes the answers; this keeps a failure before that from counting as unheard.
      answers.catch(() => {})
      return {
        kind: 'asking',
        frames: asked.map(({ id, method, params }) => JSON.stringify({ jsonrpc: '2.0', id, method, params })),
        answers: answers.then((pairs) => Object.fromEntries(pairs))
      }
    },

    async answer (session, response) {
      if (!take(session, response)) await bus.send('answered', { session, response })
    }
  }
}
