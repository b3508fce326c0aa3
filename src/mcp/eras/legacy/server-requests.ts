/** Requests from the server to a legacy client: sent on the stream of the call that asks, answered by another POST of its session. */
import { randomUUID } from 'node:crypto'
import type { EventBus } from '../../event-bus.js'
import type { InputRequired } from '../../request-context.js'
import { Fault, Refusal } from '../../../lib/errors.js'
import { isObject } from '../../jsonrpc/parse.js'
import type { Response } from '../../jsonrpc/message.js'
import { isInputResponse, type InputOutcome } from '../../input-request.js'
import { noAskedIds, type AskedIds } from './asked-ids.js'

export interface ServerRequests {
  send (session: string, step: InputRequired, signal: AbortSignal): InputOutcome
  /**
   * Hands an answer to who waits for it, wherever that is; what nobody waits for is ignored.
   * @throws {Fault} for one that another replica waits for and that is larger than 64 KiB
   */
  resolve (session: string, response: Response): Promise<void>
}

interface PendingRequest {
  method: string
  resolve (answer: Readonly<Record<string, unknown>>): void
  reject (reason: Refusal): void
}

const RESPONSE_TIMEOUT_MS = 300_000
/** Of an answer that goes to another replica. */
const MAX_FORWARDED_BYTES = 65_536

export const serverRequests = (bus: EventBus, askedIds: AskedIds = noAskedIds): ServerRequests => {
  const pending = new Map<string, PendingRequest>()

  const waitForResponse = (key: string, method: string, signal: AbortSignal) =>
    new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
      const settle = (outcome: () => void) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', gone)
        pending.delete(key)
        outcome()
      }
      const give = (up: string) => settle(() => reject(new Refusal(up)))
      const gone = (): void => give('The client went away before it answered.')
      const timer = setTimeout(give, RESPONSE_TIMEOUT_MS, 'The client did not answer in time.').unref()
      signal.addEventListener('abort', gone, { once: true })
      pending.set(key, {
        method,
        resolve: (answer) => settle(() => resolve(answer)),
        reject: (reason) => settle(() => reject(reason))
      })
    })

  /** False when nobody here waits for it. */
  const settleResponse = (session: string, { id, result }: Response): boolean => {
    const who = pending.get(`${session} ${id}`)
    if (!who) return false
    if (isInputResponse(who.method, result)) who.resolve(result)
    else who.reject(new Refusal(isObject(result) ? 'The client answered with something else than was asked for.' : 'The client refused to answer.'))
    return true
  }
  bus.subscribe('clientResponded', ({ session, response }) => { settleResponse(session, response) })

  return {
    send (session, { requests }, signal) {
      const requested = Object.entries(requests).map(([key, { method, params }]) => ({
        key, method, params, id: randomUUID()
      }))
      const noted = Promise.all(requested.map(({ id }) => askedIds.add(`${session} ${id}`, RESPONSE_TIMEOUT_MS)))
      const answers = Promise.all(requested.map(async ({ key, method, id }) => [key, await waitForResponse(`${session} ${id}`, method, signal)] as const))
        .then((pairs) => Object.fromEntries(pairs))
      // Heard by whoever takes the answers. Nobody does when the stream ends between the question and the answer: this keeps such a failure
      // from counting as an unhandled one, which would end the process. It has to be on the very promise that is handed out.
      answers.catch(() => {})
      return {
        kind: 'asking',
        frames: requested.map(({ id, method, params }) => JSON.stringify({ jsonrpc: '2.0', id, method, params })),
        // Without them an answer that comes to another replica is not handed on; one that comes to this one is.
        noted: noted.then(() => {}, () => {}),
        responses: answers
      }
    },

    async resolve (session, response) {
      if (settleResponse(session, response)) return
      const key = `${session} ${response.id}`
      if (!await askedIds.take(key)) return
      try {
        if (Buffer.byteLength(JSON.stringify(response)) > MAX_FORWARDED_BYTES) {
          throw new Fault(
            'content_too_large',
            `An answer has at most ${MAX_FORWARDED_BYTES} bytes. Send a shorter one.`,
            { limit: MAX_FORWARDED_BYTES }
          )
        }
        await bus.publishReliably('clientResponded', { session, response })
      } catch (error) {
        await askedIds.add(key, RESPONSE_TIMEOUT_MS).catch(() => {})
        throw error
      }
    }
  }
}
