/**
 * Handles one message without a socket: classify, admit, dispatch, frame. The reply is JSON when the handler returns first, a stream
 * when it yields first.
 */
import { Fault } from '../lib/errors.js'
import { weakMemo } from '../lib/weak-memo.js'
import type { MethodDefinition } from './methods/index.js'
import type { MethodResult } from './methods/method.js'
import {
  errorResponse, resultResponse, splicedResponse, type Message, type Notification, type Request, type Response
} from './jsonrpc/message.js'
import { classify } from './eras/classify.js'
import { createAuditRecorder } from './audit-recorder.js'
import type { Era, Events, HttpExchange, Frame, AdmittedRequest } from './eras/era.js'
import { faultReply } from './eras/faults.js'
import { HandlerContext } from './handler-context.js'
import { runHandler, type HandlerStream } from './run-handler.js'
import { LazyAbortController } from './cancellation.js'
import { outcomeOf, toFault, type ProtocolEngine, type RequestExecution } from './execution.js'
import type { Instrumented } from './instrumentation.js'

export type Reply =
  /** Nothing to say: a notification, a response, or a request that was taken back. */
  | { kind: 'accepted' }
  | { kind: 'whole', status: number, headers?: Record<string, string>, body: string | Buffer }
  | { kind: 'stream', headers?: Record<string, string>, events: Events, cancellation: LazyAbortController }

export const dispatch = (engine: ProtocolEngine, message: Message, exchange: HttpExchange): Promise<Reply> => {
  const era = engine.eras[classify(message, exchange.headerEra)]
  const definition = message.kind === 'response' ? undefined : engine.methods.get(message.method)
  const instrumented = message.kind === 'response' ? undefined : engine.instrument?.(message, definition, era.name, exchange)
  const work = (): Promise<Reply> => message.kind === 'request'
    ? dispatchRequest(createExecution(engine, era, message, exchange, definition, instrumented))
    : handleNotification(engine, era, message, exchange, instrumented)
  return instrumented ? instrumented.run(work) : work()
}

const handleNotification = async (
  engine: ProtocolEngine, era: Era, message: Notification | Response, exchange: HttpExchange,
  instrumented: Instrumented | undefined
): Promise<Reply> => {
  try {
    await era.accept(message, exchange)
    instrumented?.finish('ok')
    return { kind: 'accepted' }
  } catch (error) {
    const fault = toFault(engine, error, exchange)
    instrumented?.finish(fault.kind)
    return faultReplyFor(fault, era, message.kind === 'response' ? message.id : undefined)
  }
}

const createExecution = (
  engine: ProtocolEngine, era: Era, request: Request, exchange: HttpExchange, definition: MethodDefinition | undefined,
  instrumented: Instrumented | undefined
): RequestExecution => {
  const record = createAuditRecorder(engine.audit, definition, request, exchange, instrumented)
  const cancellation = new LazyAbortController((abort) => {
    exchange.onDisconnect(() => { if (!execution.detached) abort() })
    return execution.admitted?.onCancelled?.(abort)
  })
  const execution: RequestExecution = {
    engine,
    era,
    request,
    definition,
    exchange,
    auditRecorder: record,
    cancellation,
    admitted: undefined,
    detached: false
  }
  return execution
}

const dispatchRequest = async (execution: RequestExecution): Promise<Reply> => {
  const { engine, era, request, definition, exchange, auditRecorder, cancellation } = execution
  try {
    const admitted = execution.admitted = await era.admit(request, exchange)
    if (!definition?.[era.name]) throw new Fault('method_not_found', `There is no method ${JSON.stringify(request.method)} in revision ${admitted.revision}.`)
    const mode = definition.alwaysStreams ? 'auto' : exchange.reply
    const work = definition.run(
      request.params,
      new HandlerContext(request, admitted, exchange, cancellation, auditRecorder.fields),
      engine.features
    )
    if (!(Symbol.asyncIterator in work)) {
      exchange.hold?.(work)
      const result = await cancellation.race(work)
      await auditRecorder.finish(outcomeOf(result), admitted)
      if (result.constant && mode !== 'sse') return jsonReply(execution, cachedReply(request.id, result, era, admitted))
      const framed = era.result(result, admitted)
      return mode === 'sse' ? singleEventReply(execution, framed) : jsonReply(execution, resultResponse(request.id, framed))
    }
    const handlerStream = runHandler(execution, work, admitted)
    // Without a stream there is nobody to hear what comes before the result.
    const step = mode === 'json' ? await drainToResult(handlerStream) : await handlerStream.next()
    if (!step.done) return streamReply(execution, handlerStream, step.value)
    return mode === 'sse' ? singleEventReply(execution, step.value) : jsonReply(execution, resultResponse(request.id, step.value))
  } catch (error) {
    return failureReply(execution, error)
  }
}

const jsonReply = ({ cancellation, admitted }: RequestExecution, body: string | Buffer): Reply => {
  cancellation.dispose()
  return { kind: 'whole', status: 200, body, ...(admitted?.headers && { headers: admitted.headers }) }
}

const streamReply = (execution: RequestExecution, handlerStream: HandlerStream, first?: Frame): Reply => {
  const { era, cancellation } = execution
  const admitted = execution.admitted!
  // From here on a caller who goes away is noticed.
  cancellation.signal.throwIfAborted()
  const eventFrames = frames(execution, handlerStream, first)
  const resumable = era.makeResumable?.(execution.request, eventFrames, admitted, cancellation)
  execution.detached ||= resumable !== undefined
  return {
    kind: 'stream',
    cancellation,
    events: resumable ?? toEvents(eventFrames),
    ...(admitted.headers && { headers: admitted.headers })
  }
}

async function * frames (
  execution: RequestExecution, handlerStream: HandlerStream, first: Frame | undefined
): AsyncGenerator<Frame, void, void> {
  const { request, auditRecorder, cancellation, admitted } = execution
  try {
    if (first !== undefined) yield first
    yield resultResponse(request.id, yield * handlerStream)
  } catch (error) {
    const reply = await failureReply(execution, error)
    if (reply.kind === 'whole') yield String(reply.body)
  } finally {
    cancellation.dispose()
    await handlerStream.return({})
    await auditRecorder.finish('cancelled', admitted)
  }
}

const failureReply = async (
  { engine, era, request, exchange, auditRecorder, cancellation, admitted }: RequestExecution, error: unknown
): Promise<Reply> => {
  cancellation.dispose()
  const fault = cancellation.aborted ? new Fault('cancelled', 'The request was taken back.') : toFault(engine, error, exchange)
  try {
    await auditRecorder.finish(fault.kind, admitted)
  } catch (unrecorded) {
    return faultReplyFor(toFault(engine, unrecorded, exchange), era, request.id)
  }
  // 2025-11-25 basic/utilities/cancellation#behavior-requirements: no response
  return fault.kind === 'cancelled' ? { kind: 'accepted' } : faultReplyFor(fault, era, request.id)
}

/** A stream of nothing but the result: there is no work left that could be stopped. */
const singleEventReply = (execution: RequestExecution, result: Record<string, unknown>): Reply => {
  const { era, request, cancellation } = execution
  const admitted = execution.admitted!
  cancellation.dispose()
  const text = resultResponse(request.id, result)
  const events = era.makeResumable?.(request, singleFrame(text), admitted, cancellation) ?? toEvents([text][Symbol.iterator]())
  return { kind: 'stream', cancellation, events, ...(admitted.headers && { headers: admitted.headers }) }
}

async function * singleFrame (frame: Frame): AsyncGenerator<Frame, void, void> {
  yield frame
}

const drainToResult = async (handlerStream: HandlerStream): Promise<IteratorReturnResult<Record<string, unknown>>> => {
  for (;;) {
    const step = await handlerStream.next()
    if (step.done) return step
  }
}

/** Frames as events that end with their connection, which nobody needs to let go. */
const toEvents = (frames: AsyncGenerator<Frame, void, void> | IterableIterator<Frame>): Events => ({
  async next () {
    for (;;) {
      const { done, value } = await frames.next()
      if (done) return { done, value: undefined }
      if (typeof value === 'string') return { value }
    }
  },
  return: async () => frames.return?.()
})

/** The bytes of constant results, which are the same but for the request's id. */
const cachedBytes = weakMemo<MethodResult, Buffer>()

const cachedReply = (id: Request['id'], result: MethodResult, era: Era, admitted: AdmittedRequest): Buffer =>
  splicedResponse(id, cachedBytes(result, era.name, () => Buffer.from(JSON.stringify(era.result(result, admitted)))))

const faultReplyFor = (fault: Fault, era: Era, id: Request['id'] | undefined): Reply => {
  const { status, headers, error } = faultReply(fault, era.name)
  return { kind: 'whole', status, headers, body: errorResponse(id, error) }
}
