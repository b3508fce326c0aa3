/**
 * The way of one message, without a socket: classify → open → dispatch → frame. Says whether the answer is whole (a result
 * came first) or a stream (something was said before it).
 */
import type { Answers, Step, TaskStep } from '../call.js'
import { Fault } from '../errors.js'
import type { Entry } from '../methods/index.js'
import type { Catalogue, MethodResult } from '../methods/method.js'
import { errorResponse, resultResponse, type Message, type Request } from '../rpc/message.js'
import { created, declaresTasks, requireTasks } from '../tasks/task.js'
import { classify } from './classify.js'
import { recorder, type RecordDeed } from './deed.js'
import type { Era, Events, Exchange, Frame, Opened } from './era.js'
import { faultReply } from './faults.js'
import { isAnswer, requireCapabilities } from './input.js'
import { openCall } from './open-call.js'
import { said } from './said.js'
import { stopper, type Stop } from './stop.js'

export type Answer =
  /** Nothing to say: a notification, a response, or a request that was taken back. */
  | { kind: 'accepted' }
  | { kind: 'whole', status: number, headers?: Record<string, string>, body: string }
  | { kind: 'stream', headers?: Record<string, string>, events: Events, stop: Stop }

export interface Conversation {
  eras: Readonly<Record<Era['name'], Era>>
  methods: ReadonlyMap<string, Entry>
  catalogue: Catalogue
  /** The answer waits for it. */
  record: RecordDeed
  /** Told of whatever is not a fault, once, before the client gets "internal error". */
  unexpected (error: unknown, requestId: string): void
}

export const answer = async (conversation: Conversation, message: Message, exchange: Exchange): Promise<Answer> => {
  const era = conversation.eras[classify(message, exchange.headers)]
  if (message.kind === 'request') return answerRequest(conversation, era, message, exchange)
  try {
    await era.accept(message, exchange)
    return { kind: 'accepted' }
  } catch (error) {
    return refuse(toFault(conversation, error, exchange), era, message.kind === 'response' ? message.id : undefined)
  }
}

const answerRequest = async (conversation: Conversation, era: Era, request: Request, exchange: Exchange): Promise<Answer> => {
  const entry = conversation.methods.get(request.method)
  const record = recorder(conversation.record, entry, request, exchange)
  let opened: Opened | undefined
  let kept = false
  let left = false
  const stop = stopper((now) => {
    exchange.whenGone(() => { if (!kept) now() })
    return opened?.whenCancelled?.(now)
  })
  try {
    opened = await era.open(request, exchange)
    if (!entry?.[era.name]) throw new Fault('method_not_found', `There is no method ${JSON.stringify(request.method)} in revision ${opened.revision}.`)
    const mode = entry.streams ? 'auto' : exchange.reply
    const work = entry.run(request.params, openCall(opened, exchange, stop, record.notes), conversation.catalogue)
    if (!(Symbol.asyncIterator in work)) {
      const result = await stop.orElse(work)
      await record.done(outcomeOf(result), opened)
      const framed = era.result(result, opened)
      return mode === 'sse' ? stream(frames(undefined, finished(framed), opened), opened) : whole(framed, opened)
    }
    const speech = speak(work, opened)
    // Without a stream there is nobody to hear what comes before the result.
    const step = mode === 'json' ? await lastOf(speech) : await speech.next()
    if (step.done && mode !== 'sse') return whole(step.value, opened)
    return stream(step.done ? frames(undefined, finished(step.value), opened) : frames(step.value, speech, opened), opened)
  } catch (error) {
    return failed(error, opened)
  }

  function whole (result: Record<string, unknown>, { headers }: Opened): Answer {
    stop.over()
    return { kind: 'whole', status: 200, body: resultResponse(request.id, result), ...(headers && { headers }) }
  }

  function stream (said: AsyncGenerator<Frame, void, void>, opened: Opened): Answer {
    // From here on a caller who goes away is noticed.
    stop.signal.throwIfAborted()
    const lasting = era.keep?.(said, opened, exchange, stop)
    kept = lasting !== undefined
    return { kind: 'stream', stop, events: lasting ?? passing(said), ...(opened.headers && { headers: opened.headers }) }
  }

  /** Says what is worth saying, asks what has to be asked, and returns the framed result. */
  async function * speak (work: Working, opened: Opened): AsyncGenerator<Frame, Record<string, unknown>, void> {
    const ask = era.asker(request, opened, exchange, stop)
    let resume = (): ReturnType<typeof work.next> => work.next()
    try {
      for (;;) {
        const { done, value } = await stop.orElse(resume())
        resume = () => work.next()
        if (done) {
          await record.done(outcomeOf(value), opened)
          return era.result(value, opened)
        }
        if (value.kind === 'release') {
          yield value
        } else if (value.kind === 'task') {
          const task = await leave(work, opened, value)
          if (task === undefined) continue
          await record.done('task', opened)
          return task
        } else if (value.kind === 'input') {
          const asked = ask(value)
          if (asked.kind === 'ended') {
            await record.done('input_required', opened)
            return asked.result
          }
          if (asked.kind === 'asking') yield * asked.frames
          resume = await heard(asked.answers, work)
        } else {
          const frame = await said(value, opened)
          if (frame !== undefined) yield frame
        }
      }
    } finally {
      if (!left) await over(work)
    }
  }

  /** Work that does not listen to its signal ends when it will. */
  async function over (work: Working): Promise<void> {
    const returned = work.return(undefined as never)
    if (stop.stopped) returned.catch(() => {})
    else await returned
  }

  /** Leaves the work to go on as a task; undefined when the client does not know tasks and the work can do without. */
  async function leave (work: Working, opened: Opened, { required = false }: TaskStep): Promise<Record<string, unknown> | undefined> {
    const { tasks } = conversation.catalogue
    if (!tasks || !era.task || !declaresTasks(opened.client.capabilities)) {
      if (required) requireTasks(opened)
      return undefined
    }
    // From here on the caller may go.
    kept = true
    const task = await tasks.leave({
      work,
      owner: exchange.principal.credential.id,
      stop,
      framed: ({ result }) => result,
      failed: (error) => faultReply(toFault(conversation, error, exchange), era.name).error,
      check: (step) => requireCapabilities(step, opened.client.capabilities),
      isAnswer
    })
    left = true
    return era.task(created(task))
  }

  async function * frames (
    first: Frame | undefined, speech: AsyncGenerator<Frame, Record<string, unknown>, void>, opened: Opened
  ): AsyncGenerator<Frame, void, void> {
    try {
      if (first !== undefined) yield first
      yield resultResponse(request.id, yield * speech)
    } catch (error) {
      const answer = await failed(error, opened)
      if (answer.kind === 'whole') yield answer.body
    } finally {
      stop.over()
      await speech.return({})
      await record.done('cancelled', opened)
    }
  }

  async function failed (error: unknown, opened: Opened | undefined): Promise<Answer> {
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
}

type Working = AsyncGenerator<Step, MethodResult, unknown>

async function * finished (result: Record<string, unknown>): AsyncGenerator<Frame, Record<string, unknown>, void> {
  return result
}

const lastOf = async <T> (speech: AsyncGenerator<Frame, T, void>): Promise<IteratorReturnResult<T>> => {
  for (;;) {
    const step = await speech.next()
    if (step.done) return step
  }
}

/** Frames as events that end with their connection, which nobody needs to let go. */
const passing = (frames: AsyncGenerator<Frame, void, void>): Events => ({
  async next () {
    for (;;) {
      const { done, value } = await frames.next()
      if (done) return { done, value: undefined }
      if (typeof value === 'string') return { value }
    }
  },
  return: () => frames.return()
})

/** Goes on with the work: with the answers, or with the failure to get them. */
const heard = async (answers: Answers | Promise<Answers>, work: Working): Promise<() => ReturnType<Working['next']>> => {
  try {
    const given = await answers
    return () => work.next(given)
  } catch (error) {
    return () => work.throw(error)
  }
}

const refuse = (fault: Fault, era: Era, id: Request['id'] | undefined): Answer => {
  const { status, error } = faultReply(fault, era.name)
  return { kind: 'whole', status, body: errorResponse(id, error) }
}

const outcomeOf = ({ result }: MethodResult): string => result['isError'] === true ? 'error' : 'ok'

const toFault = ({ unexpected }: Conversation, error: unknown, { requestId }: Exchange): Fault => {
  if (error instanceof Fault) return error
  unexpected(error, requestId)
  return new Fault('internal_error', `Something went wrong on the server. Tell its operator this request id: ${requestId}.`, { request_id: requestId })
}
