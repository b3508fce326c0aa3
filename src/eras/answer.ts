/**
 * The way of one message, without a socket: classify → open → dispatch → frame. Yields nothing itself; says whether the
 * answer is whole (a result came first) or a stream (something was said before it).
 */
import type { Answers, Step } from '../call.js'
import { Fault } from '../errors.js'
import type { Entry } from '../methods/index.js'
import type { Catalogue, MethodResult } from '../methods/method.js'
import { errorResponse, resultResponse, type Message, type Request } from '../rpc/message.js'
import { classify } from './classify.js'
import { recorder, type RecordDeed } from './deed.js'
import type { Era, Exchange, Opened } from './era.js'
import { faultReply } from './faults.js'
import { openCall } from './open-call.js'
import { said } from './said.js'

export type Answer =
  | { kind: 'accepted' }
  | { kind: 'whole', status: number, headers?: Record<string, string>, body: string }
  | { kind: 'stream', headers?: Record<string, string>, frames: AsyncGenerator<string, void, unknown> }

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
  try {
    opened = await era.open(request, exchange)
    if (!entry?.[era.name]) throw new Fault('method_not_found', `There is no method ${JSON.stringify(request.method)} in revision ${opened.revision}.`)
    const work = entry.run(request.params, openCall(opened, exchange, record.notes), conversation.catalogue)
    const { headers } = opened
    if (!(Symbol.asyncIterator in work)) {
      const result = await work
      await record.done(outcomeOf(result), opened)
      return whole(request, era.result(result), headers)
    }
    const speech = speak(work, opened)
    const first = await speech.next()
    return first.done
      ? whole(request, first.value, headers)
      : { kind: 'stream', frames: frames(first.value, speech, opened), ...(headers && { headers }) }
  } catch (error) {
    return failed(error, opened)
  }

  /** Says what is worth saying, asks what has to be asked, and returns the framed result. */
  async function * speak (work: Asking, opened: Opened): AsyncGenerator<string, Record<string, unknown>, void> {
    const ask = era.asker(request, opened, exchange)
    let resume = (): ReturnType<typeof work.next> => work.next()
    try {
      for (;;) {
        const { done, value } = await resume()
        resume = () => work.next()
        if (done) {
          await record.done(outcomeOf(value), opened)
          return era.result(value)
        }
        if (value.kind === 'input') {
          const asked = ask(value)
          if (asked.kind === 'ended') {
            await record.done('input_required', opened)
            return asked.result
          }
          if (asked.kind === 'asking') yield * asked.frames
          resume = await heard(asked.answers, work)
        } else {
          const frame = said(value, opened)
          if (frame !== undefined) yield frame
        }
      }
    } finally {
      await work.return(undefined as never)
    }
  }

  async function * frames (first: string, speech: AsyncGenerator<string, Record<string, unknown>, void>, opened: Opened) {
    try {
      yield first
      yield resultResponse(request.id, yield * speech)
    } catch (error) {
      const answer = await failed(error, opened)
      if (answer.kind === 'whole') yield answer.body
    } finally {
      await speech.return({})
    }
  }

  async function failed (error: unknown, opened: Opened | undefined): Promise<Answer> {
    const fault = toFault(conversation, error, exchange)
    try {
      await record.done(fault.kind, opened)
    } catch (unrecorded) {
      return refuse(toFault(conversation, unrecorded, exchange), era, request.id)
    }
    return refuse(fault, era, request.id)
  }
}

type Asking = AsyncGenerator<Step, MethodResult, unknown>

/** Goes on with the work: with the answers, or with the failure to get them. */
const heard = async (answers: Answers | Promise<Answers>, work: Asking): Promise<() => ReturnType<Asking['next']>> => {
  try {
    const given = await answers
    return () => work.next(given)
  } catch (error) {
    return () => work.throw(error)
  }
}

const whole = (request: Request, result: Record<string, unknown>, headers: Record<string, string> | undefined): Answer =>
  ({ kind: 'whole', status: 200, body: resultResponse(request.id, result), ...(headers && { headers }) })

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
