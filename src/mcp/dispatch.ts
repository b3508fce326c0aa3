/**
 * The way of one message, without a socket: classify → open → dispatch → frame. Says whether the answer is whole (a result
 * came first) or a stream (something was said before it).
 */
import { Fault } from '../lib/errors.js'
import { kept } from '../lib/weak-memo.js'
import type { Entry } from './methods/index.js'
import type { MethodResult } from './methods/method.js'
import { errorResponse, resultResponse, splicedResponse, type Message, type Notification, type Request, type Response } from './jsonrpc/message.js'
import { classify } from './eras/classify.js'
import { recorder } from './audit-recorder.js'
import type { Era, Events, Exchange, Frame, Opened } from './eras/era.js'
import { faultReply } from './eras/faults.js'
import { OpenCall } from './handler-context.js'
import { speak, type Speech } from './run-handler.js'
import { Stop } from './cancellation.js'
import { outcomeOf, toFault, type Conversation, type Turn } from './execution.js'
import type { Watched } from './instrumentation.js'

export type Answer =
  /** Nothing to say: a notification, a response, or a request that was taken back. */
  | { kind: 'accepted' }
  | { kind: 'whole', status: number, headers?: Record<string, string>, body: string | Buffer }
  | { kind: 'stream', headers?: Record<string, string>, events: Events, stop: Stop }

export const answer = (conversation: Conversation, message: Message, exchange: Exchange): Promise<Answer> => {
  const era = conversation.eras[classify(message, exchange.headers)]
  const entry = message.kind === 'response' ? undefined : conversation.methods.get(message.method)
  const watched = message.kind === 'response' ? undefined : conversation.watch?.(message, entry, era.name, exchange)
  const work = (): Promise<Answer> => message.kind === 'request'
    ? answerRequest(begin(conversation, era, message, exchange, entry, watched))
    : accept(conversation, era, message, exchange, watched)
  return watched ? watched.within(work) : work()
}

const accept = async (
  conversation: Conversation, era: Era, message: Notification | Response, exchange: Exchange, watched: Watched | undefined
): Promise<Answer> => {
  try {
    await era.accept(message, exchange)
    watched?.ended('ok')
    return { kind: 'accepted' }
  } catch (error) {
    const fault = toFault(conversation, error, exchange)
    watched?.ended(fault.kind)
    return refuse(fault, era, message.kind === 'response' ? message.id : undefined)
  }
}

const begin = (
  conversation: Conversation, era: Era, request: Request, exchange: Exchange, entry: Entry | undefined, watched: Watched | undefined
): Turn => {
  const record = recorder(conversation.record, entry, request, exchange, watched)
  const stop = new Stop((now) => {
    exchange.whenGone(() => { if (!turn.kept) now() })
    return turn.opened?.whenCancelled?.(now)
  })
  const turn: Turn = { conversation, era, request, entry, exchange, record, stop, opened: undefined, kept: false }
  return turn
}

const answerRequest = async (turn: Turn): Promise<Answer> => {
  const { conversation, era, request, entry, exchange, record, stop } = turn
  try {
    const opened = turn.opened = await era.open(request, exchange)
    if (!entry?.[era.name]) throw new Fault('method_not_found', `There is no method ${JSON.stringify(request.method)} in revision ${opened.revision}.`)
    const mode = entry.streams ? 'auto' : exchange.reply
    const work = entry.run(request.params, new OpenCall(request, opened, exchange, stop, record.notes), conversation.catalogue)
    if (!(Symbol.asyncIterator in work)) {
      exchange.hold?.(work)
      const result = await stop.orElse(work)
      await record.done(outcomeOf(result), opened)
      if (result.constant && mode !== 'sse') return whole(turn, spliced(request.id, result, era, opened))
      const framed = era.result(result, opened)
      return mode === 'sse' ? alone(turn, framed) : whole(turn, resultResponse(request.id, framed))
    }
    const speech = speak(turn, work, opened)
    // Without a stream there is nobody to hear what comes before the result.
    const step = mode === 'json' ? await lastOf(speech) : await speech.next()
    if (!step.done) return stream(turn, speech, step.value)
    return mode === 'sse' ? alone(turn, step.value) : whole(turn, resultResponse(request.id, step.value))
  } catch (error) {
    return failed(turn, error)
  }
}

const whole = ({ stop, opened }: Turn, body: string | Buffer): Answer => {
  stop.over()
  return { kind: 'whole', status: 200, body, ...(opened?.headers && { headers: opened.headers }) }
}

const stream = (turn: Turn, speech: Speech, first?: Frame): Answer => {
  const { era, stop } = turn
  const opened = turn.opened!
  // From here on a caller who goes away is noticed.
  stop.signal.throwIfAborted()
  const said = frames(turn, speech, first)
  const lasting = era.keep?.(turn.request, said, opened, stop)
  turn.kept ||= lasting !== undefined
  return { kind: 'stream', stop, events: lasting ?? passing(said), ...(opened.headers && { headers: opened.headers }) }
}

async function * frames (turn: Turn, speech: Speech, first: Frame | undefined): AsyncGenerator<Frame, void, void> {
  const { request, record, stop, opened } = turn
  try {
    if (first !== undefined) yield first
    yield resultResponse(request.id, yield * speech)
  } catch (error) {
    const answer = await failed(turn, error)
    if (answer.kind === 'whole') yield String(answer.body)
  } finally {
    stop.over()
    await speech.return({})
    await record.done('cancelled', opened)
  }
}

const failed = async ({ conversation, era, request, exchange, record, stop, opened }: Turn, error: unknown): Promise<Answer> => {
  stop.over()
  const fault = stop.stopped ? new Fault('cancelled', 'The request was taken back.') : toFault(conversation, error, exchange)
  try {
    await record.done(fault.kind, opened)
  } catch (unrecorded) {
    return refuse(toFault(conversation, unrecorded, exchange), era, request.id)
  }
  // 2025-11-25 basic/utilities/cancellation#behavior-requirements: no response
  return fault.kind === 'cancelled' ? { kind: 'accepted' } : refuse(fault, era, request.id)
}

/** A stream of nothing but the result: there is no work left that could be stopped. */
const alone = (turn: Turn, result: Record<string, unknown>): Answer => {
  const { era, request, stop } = turn
  const opened = turn.opened!
  stop.over()
  const text = resultResponse(request.id, result)
  const events = era.keep?.(request, one(text), opened, stop) ?? passing([text][Symbol.iterator]())
  return { kind: 'stream', stop, events, ...(opened.headers && { headers: opened.headers }) }
}

async function * one (frame: Frame): AsyncGenerator<Frame, void, void> {
  yield frame
}

const lastOf = async (speech: Speech): Promise<IteratorReturnResult<Record<string, unknown>>> => {
  for (;;) {
    const step = await speech.next()
    if (step.done) return step
  }
}

/** Frames as events that end with their connection, which nobody needs to let go. */
const passing = (frames: AsyncGenerator<Frame, void, void> | IterableIterator<Frame>): Events => ({
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
const bytes = kept<MethodResult, Buffer>()

const spliced = (id: Request['id'], result: MethodResult, era: Era, opened: Opened): Buffer =>
  splicedResponse(id, bytes(result, era.name, () => Buffer.from(JSON.stringify(era.result(result, opened)))))

const refuse = (fault: Fault, era: Era, id: Request['id'] | undefined): Answer => {
  const { status, headers, error } = faultReply(fault, era.name)
  return { kind: 'whole', status, headers, body: errorResponse(id, error) }
}
