/**
 * Requests from the server to a legacy client: sent on the stream of the call that needs the input, answered by
 * another POST of the session.
 */
import { randomUUID } from 'node:crypto'
import type { EventBus } from '../../event-bus.js'
import type { InputRequest, InputRequired } from '../../request-context.js'
import { Fault, Refusal } from '../../../lib/errors.js'
import { isObject } from '../../../lib/json/json-object.js'
import type { Response } from '../../jsonrpc/message.js'
import { isInputResponse, type InputOutcome } from '../../input-request.js'
import { noAskedIds, type AskedIds } from './asked-ids.js'

export interface ServerRequests {
  /**
   * Prepares the requests of a step. Its responses reject with a `Refusal` when the client fails, disconnects or
   * takes over 5 minutes.
   */
  send (session: string, step: InputRequired, signal: AbortSignal): InputOutcome
  /**
   * Passes a response to the request that waits for it, on this replica or another one. Ignores a response that
   * no one waits for.
   * @throws {Fault} `content_too_large` when another replica waits for it and it is larger than 64 KiB,
   * `unavailable` when that replica cannot be reached
   */
  resolve (session: string, response: Response): Promise<void>
}

interface PendingRequest {
  request: InputRequest
  resolve (answer: Readonly<Record<string, unknown>>): void
  reject (reason: Refusal): void
}

const RESPONSE_TIMEOUT_MS = 300_000
/** The largest response that is forwarded to another replica. */
const MAX_FORWARDED_BYTES = 65_536

/**
 * Creates the registry of open requests of this replica, and subscribes it to the responses that other replicas
 * receive.
 */
export const serverRequests = (bus: EventBus, askedIds: AskedIds = noAskedIds): ServerRequests => {
  const pending = new Map<string, PendingRequest>()

  const waitForResponse = (key: string, request: InputRequest, signal: AbortSignal) =>
    new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
      const settle = (outcome: () => void) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        pending.delete(key)
        outcome()
      }
      const refuse = (reason: string) => settle(() => reject(new Refusal(reason)))
      const onAbort = (): void => refuse('The client disconnected before it answered.')
      const timer = setTimeout(refuse, RESPONSE_TIMEOUT_MS, 'The client did not answer in time.').unref()
      signal.addEventListener('abort', onAbort, { once: true })
      pending.set(key, {
        request,
        resolve: (answer) => settle(() => resolve(answer)),
        reject: (reason) => settle(() => reject(reason))
      })
    })

  /** Returns false when no request of this replica waits for the response. */
  const settleResponse = (session: string, { id, result }: Response): boolean => {
    const who = pending.get(`${session} ${id}`)
    if (!who) return false
    if (isInputResponse(who.request, result)) who.resolve(result)
    else {
      who.reject(new Refusal(isObject(result)
        ? 'The response of the client does not fit the request.'
        : 'The client refused to answer.'))
    }
    return true
  }
  bus.subscribe('clientResponded', ({ session, response }) => { settleResponse(session, response) })

  return {
    send (session, { requests }, signal) {
      const requested = Object.entries(requests).map(([key, request]) => ({ key, request, id: randomUUID() }))
      const idsStored = Promise.all(requested.map(({ id }) => askedIds.add(`${session} ${id}`, RESPONSE_TIMEOUT_MS)))
      const answers = Promise.all(requested.map(async ({ key, request, id }) =>
        [key, await waitForResponse(`${session} ${id}`, request, signal)] as const
      )).then((pairs) => Object.fromEntries(pairs))
      // The caller awaits `answers`, but not when the stream ends before the response arrives. Without this handler
      // that rejection would be unhandled and end the process. The handler must be on the promise that is returned.
      answers.catch(() => {})
      return {
        kind: 'asking',
        frames: requested.map(({ id, request: { method, params } }) =>
          JSON.stringify({ jsonrpc: '2.0', id, method, params })),
        // When this fails, a response that another replica receives is lost; one that this replica receives is not.
        noted: idsStored.then(() => {}, () => {}),
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
