/** Reads the body of a POST, one message or a batch, and has each message handled. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../../lib/errors.js'
import { createEventLoopYield } from '../../lib/async/event-loop-yield.js'
import { dispatch } from '../dispatch.js'
import type { HttpExchange } from '../eras/era.js'
import { faultReply } from '../eras/faults.js'
import type { LegacyEra } from '../eras/legacy/index.js'
import type { ProtocolEngine } from '../protocol-engine.js'
import { errorResponse, type Id } from '../jsonrpc/message.js'
import { parseJson, parseMessage, type ParsedMessage } from '../jsonrpc/parse.js'
import type { EngineReply } from '../reply.js'
import { hasBatches } from '../revisions.js'
import type { ConcurrentCalls } from './concurrent-calls.js'
import type { FastifyExchange } from './http-exchange.js'

export interface ReceiveDeps {
  engine: ProtocolEngine & { eras: { legacy: LegacyEra } }
  calls: ConcurrentCalls
  maxBatch: number
  /** Counts further messages of a request, whose first one is counted already; throws a `Fault` above a limit. */
  count (request: FastifyRequest, reply: FastifyReply, messages: number): Promise<void>
}

/** A larger body takes milliseconds to parse: each of several gets a turn of the event loop of its own. */
const LARGE_BODY_BYTES = 8192
const yieldToEventLoop = createEventLoopYield(2)
const NO_BYTES = Buffer.alloc(0)

const NO_HANDSHAKE = new Fault('invalid_request', 'The handshake is not part of a batch.')
const handshakeRefusal = (id: Id): EngineReply =>
  ({ kind: 'whole', status: 200, body: errorResponse(id, faultReply(NO_HANDSHAKE, 'legacy').error) })

export const createReceiver = ({ engine, calls, maxBatch, count }: ReceiveDeps) => {
  const receiveOne = async (message: ParsedMessage, exchange: HttpExchange): Promise<EngineReply> => {
    if (message.kind !== 'fault') return await dispatch(engine, message, exchange)
    exchange.about.refused = message.fault
    const { status, error } = faultReply(message.fault, exchange.headerEra)
    return { kind: 'whole', status, body: errorResponse(message.id, error) }
  }

  /** Batches exist in one revision, so only inside a session: 2025-03-26 basic#batching. */
  const receiveBatch = async (
    batch: readonly unknown[], exchange: HttpExchange, countMore: (messages: number) => Promise<void>
  ): Promise<EngineReply> => {
    if (exchange.headerEra === 'modern') {
      throw new Fault('invalid_request', 'The body is one message: this revision has no batches.')
    }
    const revision = await engine.eras.legacy.revisionOf(exchange)
    if (!hasBatches(revision)) {
      throw new Fault('invalid_request', `The body is one message: revision ${revision} has no batches.`)
    }
    if (batch.length === 0 || batch.length > maxBatch) {
      throw new Fault('invalid_request', `A batch has 1 to ${maxBatch} messages.`)
    }
    if (batch.length > 1) await countMore(batch.length - 1)
    const left = new AbortController()
    exchange.onDisconnect(() => left.abort())
    const bodies: string[] = []
    let unanswered: EngineReply = { kind: 'accepted' }
    for (const body of batch) {
      // No one reads the replies to the rest.
      if (left.signal.aborted) break
      const message = parseMessage(body)
      const isHandshake = message.kind === 'request' && message.method === 'initialize'
      const reply = isHandshake ? handshakeRefusal(message.id) : await receiveOne(message, exchange)
      if (reply.kind !== 'whole') continue
      // 2025-03-26 basic#notifications: no response, so its refusal is that of a batch without requests
      if (message.kind === 'notification' || message.kind === 'response') unanswered = reply
      else bodies.push(String(reply.body))
    }
    return bodies.length === 0 ? unanswered : { kind: 'whole', status: 200, body: `[${bodies.join(',')}]` }
  }

  /** @throws {Fault} when the body as a whole is refused */
  return async (request: FastifyRequest, reply: FastifyReply, exchange: FastifyExchange): Promise<EngineReply> => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : NO_BYTES
    if (bytes.length > LARGE_BODY_BYTES) await yieldToEventLoop()
    const body = parseJson(bytes)
    if (Array.isArray(body)) {
      const together = exchange.forBatch()
      return await inSlot(calls, together, () =>
        receiveBatch(body, together, (messages) => count(request, reply, messages)))
    }
    const message = parseMessage(body)
    // A message that cancels a call, or answers what it asked, must not wait for a slot that this call occupies.
    if (message.kind !== 'request') return await receiveOne(message, exchange)
    const weight = engine.methods.get(message.method)?.weight?.(message.params) ?? 1
    if (weight > 1) await count(request, reply, weight - 1)
    const { id } = exchange.principal.credential
    const slot = exchange.slot = calls.enterAtOnce(id) ?? await calls.enter(id, exchange)
    try {
      return await dispatch(engine, message, exchange)
    } finally {
      slot.leave()
    }
  }
}

export const inSlot = async <T>(calls: ConcurrentCalls, exchange: HttpExchange, work: () => Promise<T>): Promise<T> => {
  const slot = exchange.slot = await calls.enter(exchange.principal.credential.id, exchange)
  try {
    return await work()
  } finally {
    slot.leave()
  }
}
