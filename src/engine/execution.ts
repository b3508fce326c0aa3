/** One request, from its admission by an era to its reply. */
import { Fault } from '../lib/errors.js'
import { weakMemo } from '../lib/weak-memo.js'
import { aroundCall } from './around/around-call.js'
import { AuditRecorder } from './audit-recorder.js'
import { LazyAbortController, type CancellationSource } from './cancellation.js'
import type { AdmittedRequest, Era, Events, Frame, HttpExchange, ReplyMode } from './eras/era.js'
import { HandlerContext } from './handler-context.js'
import type { HandlerGenerator } from './handler-run.js'
import type { Instrumented } from './instrumentation.js'
import { splicedResponse, type Request } from './jsonrpc/message.js'
import type { MethodDefinition } from './methods/index.js'
import { outcomeOf, type MethodResult } from './methods/method.js'
import { toFault, type ProtocolEngine } from './protocol-engine.js'
import { faultReplyFor, type EngineReply } from './reply.js'
import { runHandler, type HandledRequest, type HandlerStream } from './run-handler.js'
import { visibleResponse, visibleResult, type FramedResult } from './visible-result.js'

/** The era of a request and what arrived with it. */
export interface ExecutionDeps {
  engine: ProtocolEngine
  era: Era
  request: Request
  /** The method that the request names; undefined when there is no such method in any era. */
  definition: MethodDefinition | undefined
  exchange: HttpExchange
  instrumented: Instrumented | undefined
}

/** Call `handle` once. */
export class RequestExecution implements CancellationSource, HandledRequest {
  readonly engine: ProtocolEngine
  readonly era: Era
  readonly request: Request
  readonly definition: MethodDefinition | undefined
  readonly exchange: HttpExchange
  readonly instrumented: Instrumented | undefined
  readonly auditRecorder: AuditRecorder
  readonly cancellation: LazyAbortController
  #admitted: AdmittedRequest | undefined
  #isDetached = false

  constructor ({ engine, era, request, definition, exchange, instrumented }: ExecutionDeps) {
    this.engine = engine
    this.era = era
    this.request = request
    this.exchange = exchange
    this.definition = definition
    this.instrumented = instrumented
    this.auditRecorder = new AuditRecorder(this)
    this.cancellation = new LazyAbortController(this)
  }

  /**
   * Asks the era to admit the request, and runs its method. Resolves with the reply, also when the request is refused
   * or its method fails: JSON when the method returns first, and a stream when it yields first.
   */
  async handle (): Promise<EngineReply> {
    const { auditRecorder, cancellation, engine, exchange, request } = this
    try {
      const admitted = this.#admitted = await this.era.admit(request, exchange, this.definition)
      const context = new HandlerContext(request, admitted, exchange, cancellation, auditRecorder)
      const { features, around } = engine
      const work = around
        ? aroundCall(around, admitted.method, request.params, context, features)
        : admitted.method.run(request.params, context, features)
      if (Symbol.asyncIterator in work) return await this.#runGenerator(admitted, work)
      const result = await this.#resultOf(work)
      await auditRecorder.finish(outcomeOf(result), admitted)
      return this.#reply(admitted, result)
    } catch (error) {
      return await this.#fail(error)
    }
  }

  /** Subscribes to a disconnect of the caller and, once the request is admitted, to its cancellation by a message. */
  listen (abort: () => void): (() => void) | undefined {
    this.exchange.onDisconnect(() => { if (!this.#isDetached) abort() })
    return this.#admitted?.onCancelled?.(abort)
  }

  /** From now on the work continues when the caller disconnects. */
  detach (): void {
    this.#isDetached = true
  }

  /** Waits for the result. Work that continues after its request was cancelled still occupies a slot. */
  async #resultOf (work: Promise<MethodResult>): Promise<MethodResult> {
    try {
      return await this.cancellation.race(work)
    } catch (error) {
      if (this.cancellation.aborted) this.exchange.slot?.hold(work)
      throw error
    }
  }

  #reply (admitted: AdmittedRequest, result: MethodResult): EngineReply {
    const { era, request } = this
    const mode = this.#modeOf(admitted)
    if (result.constant && mode !== 'sse') {
      return this.#json(admitted, constantResponse(request.id, result, era, admitted))
    }
    const framed = era.result(result, admitted)
    const text = visibleResponse(request.id, { framed, hasRecordTexts: result.hasRecordTexts })
    return mode === 'sse' ? this.#event(admitted, text) : this.#json(admitted, text)
  }

  #modeOf ({ method }: AdmittedRequest): ReplyMode {
    return method.alwaysStreams ? 'auto' : this.exchange.reply
  }

  async #runGenerator (admitted: AdmittedRequest, work: HandlerGenerator<MethodResult>): Promise<EngineReply> {
    const mode = this.#modeOf(admitted)
    const stream = runHandler(this, work, admitted)
    // Without a stream, what comes before the result is dropped.
    const step = mode === 'json' ? await drainToResult(stream) : await stream.next()
    if (!step.done) return this.#stream(admitted, stream, step.value)
    const text = visibleResponse(this.request.id, step.value)
    return mode === 'sse' ? this.#event(admitted, text) : this.#json(admitted, text)
  }

  /** Returns the reply for an error, after its audit row was written. */
  async #fail (error: unknown): Promise<EngineReply> {
    const { auditRecorder, cancellation, engine, era, exchange, request } = this
    cancellation.dispose()
    const fault = cancellation.aborted
      ? new Fault('cancelled', 'The request was taken back.')
      : toFault(engine, error, exchange)
    try {
      await auditRecorder.finish(fault.kind, this.#admitted)
    } catch (unrecorded) {
      return faultReplyFor(toFault(engine, unrecorded, exchange), era, request.id)
    }
    // 2025-11-25 basic/utilities/cancellation#behavior-requirements: no response
    return fault.kind === 'cancelled' ? { kind: 'accepted' } : faultReplyFor(fault, era, request.id)
  }

  #json ({ headers }: AdmittedRequest, body: string | Buffer): EngineReply {
    this.cancellation.dispose()
    return { kind: 'whole', status: 200, body, headers }
  }

  /** A stream of nothing but the result: there is no work left that could be cancelled. */
  #event (admitted: AdmittedRequest, data: string): EngineReply {
    const { cancellation, era, request } = this
    const { headers } = admitted
    cancellation.dispose()
    const events = era.makeResumable?.(request, singleFrame(data), admitted, cancellation)
    return events ? { kind: 'stream', headers, cancellation, events } : { kind: 'event', headers, data }
  }

  #stream (admitted: AdmittedRequest, stream: HandlerStream, first: Frame): EngineReply {
    const { cancellation, era, request } = this
    // Reading the signal subscribes to a disconnect of the caller.
    cancellation.signal.throwIfAborted()
    const frames = this.#frames(admitted, stream, first)
    const resumable = era.makeResumable?.(request, frames, admitted, cancellation)
    if (resumable) this.detach()
    return { kind: 'stream', headers: admitted.headers, cancellation, events: resumable ?? toEvents(frames) }
  }

  async * #frames (
    admitted: AdmittedRequest, stream: HandlerStream, first: Frame
  ): AsyncGenerator<Frame, void, void> {
    try {
      yield first
      yield visibleResponse(this.request.id, yield * stream)
    } catch (error) {
      const reply = await this.#fail(error)
      if (reply.kind === 'whole') yield String(reply.body)
    } finally {
      this.cancellation.dispose()
      await stream.return({ framed: {} })
      await this.auditRecorder.finish('cancelled', admitted)
    }
  }
}

async function * singleFrame (frame: Frame): AsyncGenerator<Frame, void, void> {
  yield frame
}

const drainToResult = async (stream: HandlerStream): Promise<IteratorReturnResult<FramedResult>> => {
  for (;;) {
    const step = await stream.next()
    if (step.done) return step
  }
}

/** Frames as events that end with their connection. The point at which it may be closed means nothing there. */
const toEvents = (frames: AsyncGenerator<Frame, void, void>): Events => ({
  async next () {
    for (;;) {
      const { done, value } = await frames.next()
      if (done) return { done, value: undefined }
      if (typeof value === 'string') return { value }
    }
  },
  return: () => frames.return()
})

/** The JSON of constant results, which is the same but for the request's id. */
const constantJson = weakMemo<MethodResult, string | Buffer>()

/** Bytes need not be encoded again, but are sent as one more piece. */
const MIN_BYTES = 1024

const constantResponse = (
  id: Request['id'], result: MethodResult, era: Era, admitted: AdmittedRequest
): string | Buffer => splicedResponse(id, constantJson(result, era.name, () => {
  const json = JSON.stringify(era.result(visibleResult(result), admitted))
  return json.length < MIN_BYTES ? json : Buffer.from(json)
}))
