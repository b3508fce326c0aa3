/** Requests of the server, sent on the stream of a legacy call and answered by another POST of the session. */
import { randomUUID } from 'node:crypto'
import type { EventBus } from '../../event-bus.js'
import type { InputRequest, InputRequired } from '../../request-context.js'
import { untilAborted } from '../../../lib/async/deadline.js'
import { Fault, Refusal } from '../../../lib/errors.js'
import { isObject } from '../../../lib/json/json-object.js'
import type { Response } from '../../jsonrpc/message.js'
import { isInputResponse, type InputOutcome } from '../../input-request.js'

/**
 * The port: ids of requests to clients without a response yet, which all replicas see. A replica forwards a response
 * only when its id is stored here: otherwise a client could flood the event bus with responses to nothing.
 */
export interface AskedIds {
  /** Stores an id for `keepMs` milliseconds, visible to all replicas. */
  add (key: string, keepMs: number): Promise<void>
  /** Removes an id. Resolves with true when it was stored, so only the first response to a request is forwarded. */
  take (key: string): Promise<boolean>
}

/** For a server that is one process: it never forwards responses. */
const noAskedIds: AskedIds = { add: async () => {}, take: async () => false }

interface PendingRequest {
  request: InputRequest
  resolve (answer: Readonly<Record<string, unknown>>): void
  reject (reason: Refusal): void
}

const RESPONSE_TIMEOUT_MS = 300_000
const MAX_FORWARDED_BYTES = 65_536

/** The open requests of this replica, which also hears of the responses that other replicas receive. */
export const serverRequests = (bus: EventBus, askedIds: AskedIds = noAskedIds) => {
  const pending = new Map<string, PendingRequest>()

  const waitForResponse = async (key: string, request: InputRequest, signal: AbortSignal) => {
    const timeout = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
    const answer = new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
      pending.set(key, { request, resolve, reject })
    })
    try {
      return await untilAborted(answer, AbortSignal.any([signal, timeout]))
    } catch (error) {
      if (signal.aborted) throw new Refusal('The client disconnected before it answered.')
      if (timeout.aborted) throw new Refusal('The client did not answer in time.')
      throw error
    } finally {
      pending.delete(key)
    }
  }

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
    /** The responses reject with a `Refusal` when the client fails, disconnects or takes over 5 minutes. */
    send (session: string, { requests }: InputRequired, signal: AbortSignal): InputOutcome {
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

    /** Passes a response to the request that waits for it, here or on another replica; ignores it when none does. */
    async resolve (session: string, response: Response): Promise<void> {
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
