/** One request, from its admission by an era to its reply. */
import { Fault } from '../lib/errors.js'
import { weakMemo } from '../lib/weak-memo.js'
import { aroundCall } from './around/around-call.js'
import { AuditRecorder } from './audit-recorder.js'
import { LazyAbortController, type CancellationSource } from './cancellation.js'
import type { AdmittedRequest, Era, Events, Frame, HttpExchange, ReplyMode } from './eras/era.js'
import type { Instrumented } from './instrumentation.js'
import { splicedResponse, type Request } from './jsonrpc/message.js'
import type { MethodDefinition } from './methods/index.js'
import { outcomeOf, type MethodResult } from './methods/method.js'
import { toFault, type ProtocolEngine } from './protocol-engine.js'
import { faultReplyFor, type EngineReply } from './reply.js'
import type { HandlerOutput, RequestContext } from './request-context.js'
import { runHandler, type HandledRequest, type HandlerStream } from './run-handler.js'
import { visibleResponse, visibleResult, type FramedResult } from './visible-result.js'

/** Call `handle` once. */
export class RequestExecution implements CancellationSource, HandledRequest {
  readonly auditRecorder: AuditRecorder
  readonly cancellation: LazyAbortController
  #admitted: AdmittedRequest | undefined
  #isDetached = false

  /** @param definition undefined when no era has such a method */
  constructor (
    readonly engine: ProtocolEngine, readonly era: Era, readonly request: Request,
    readonly definition: MethodDefinition | undefined, readonly exchange: HttpExchange,
    instrumented: Instrumented | undefined
  ) {
    this.auditRecorder = new AuditRecorder(engine.audit, request, definition, exchange, instrumented)
    this.cancellation = new LazyAbortController(this)
  }

  /** Resolves with the reply, also to a refusal: JSON when the method returns first, a stream when it yields first. */
  async handle (): Promise<EngineReply> {
    const { engine: { around, features }, request: { params } } = this
    let work: HandlerOutput<MethodResult> | undefined
    try {
      const admitted = this.#admitted = await this.era.admit(this.request, this.exchange, this.definition)
      const context = new Context(this, admitted)
      work = around
        ? aroundCall(around, admitted.method, params, context, features)
        : admitted.method.run(params, context, features)
      if (Symbol.asyncIterator in work) return await this.#replyByStream(admitted, runHandler(this, work, admitted))
      const result = await this.cancellation.race(work)
      await this.auditRecorder.finish(outcomeOf(result), admitted)
      return this.#reply(admitted, result)
    } catch (error) {
      // Work that continues after its request was cancelled still occupies a slot.
      if (work instanceof Promise && this.cancellation.aborted) this.exchange.slot?.hold(work)
      return await this.#fail(error)
    }
  }

  listen (abort: () => void): (() => void) | undefined {
    this.exchange.onDisconnect(() => { if (!this.#isDetached) abort() })
    return this.#admitted?.onCancelled?.(abort)
  }

  detach (): void {
    this.#isDetached = true
  }

  #reply (admitted: AdmittedRequest, result: MethodResult): EngineReply {
    const { era, request: { id } } = this
    const mode = this.#modeOf(admitted)
    if (result.constant && mode !== 'sse') return this.#json(admitted, constantResponse(id, result, era, admitted))
    return this.#whole(admitted, mode, { framed: era.result(result, admitted), hasRecordTexts: result.hasRecordTexts })
  }

  #modeOf ({ method }: AdmittedRequest): ReplyMode {
    return method.alwaysStreams ? 'auto' : this.exchange.reply
  }

  async #replyByStream (admitted: AdmittedRequest, stream: HandlerStream): Promise<EngineReply> {
    const mode = this.#modeOf(admitted)
    let step = await stream.next()
    // Without a stream, what comes before the result is dropped.
    if (mode === 'json') while (!step.done) step = await stream.next()
    return step.done ? this.#whole(admitted, mode, step.value) : this.#stream(admitted, stream, step.value)
  }

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

  /** A reply of nothing but the result: there is no work left that could be cancelled. */
  #whole (admitted: AdmittedRequest, mode: ReplyMode, result: FramedResult): EngineReply {
    const { cancellation, era, request } = this
    const { headers } = admitted
    const data = visibleResponse(request.id, result)
    if (mode !== 'sse') return this.#json(admitted, data)
    cancellation.dispose()
    const events = era.makeResumable?.(request, singleFrame(data), admitted, cancellation)
    return events ? { kind: 'stream', headers, cancellation, events } : { kind: 'event', headers, data }
  }

  #json ({ headers }: AdmittedRequest, body: string | Buffer): EngineReply {
    this.cancellation.dispose()
    return { kind: 'whole', status: 200, body, headers }
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

/** A class: a getter in an object literal gives each object a hidden class of its own, which is collected late. */
class Context implements RequestContext {
  readonly principal: RequestContext['principal']
  readonly revision: string
  readonly client: RequestContext['client']
  readonly jsonrpcId: Request['id']
  readonly requestId: string
  readonly session: RequestContext['session']

  constructor (private readonly execution: RequestExecution, private readonly admitted: AdmittedRequest) {
    const { exchange: { principal, requestId }, request: { id } } = execution
    this.principal = principal
    this.revision = admitted.revision
    this.client = admitted.client
    this.jsonrpcId = id
    this.requestId = requestId
    this.session = admitted.session
  }

  get signal (): AbortSignal { return this.execution.cancellation.signal }

  setAuditField (key: string, value: string): void {
    this.execution.auditRecorder.setField(key, value)
  }

  auditWithin: RequestContext['auditWithin'] = (work) =>
    this.execution.auditRecorder.within(work, this.principal, this.admitted)
}

async function * singleFrame (frame: Frame): AsyncGenerator<Frame, void, void> {
  yield frame
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
