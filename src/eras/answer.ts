/**
 * The way of one message, without a socket: classify → open → dispatch → frame. Yields nothing itself; says whether the
 * answer is whole (a result came first) or a stream (something was said before it).
 */
import type { Step } from '../call.js'
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
    const headers = opened.headers
    if (Symbol.asyncIterator in work) return await stepped(work, opened)
    const result = await work
    await record.done(outcomeOf(result), opened)
    return whole(era, request, result, headers)
  } catch (error) {
    return failed(error, opened)
  }

  /** Takes steps until one is worth saying, or the work is done. */
  async function stepped (work: AsyncGenerator<Step, MethodResult, unknown>, opened: Opened): Promise<Answer> {
    for (;;) {
      const { done, value } = await work.next()
      if (done) {
        await record.done(outcomeOf(value), opened)
        return whole(era, request, value, opened.headers)
      }
      const first = said(value, opened)
      if (first !== undefined) return { kind: 'stream', frames: frames(first, work, opened), ...(opened.headers && { headers: opened.headers }) }
    }
  }

  async function * frames (first: string, work: AsyncGenerator<Step, MethodResult, unknown>, opened: Opened) {
    try {
      yield first
      for (;;) {
        const { done, value } = await work.next()
        if (done) {
          await record.done(outcomeOf(value), opened)
          yield resultResponse(request.id, era.result(value))
          return
        }
        const next = said(value, opened)
        if (next !== undefined) yield next
      }
    } catch (error) {
      const answer = await failed(error, opened)
      if (answer.kind === 'whole') yield answer.body
    } finally {
      await work.return(undefined as never)
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

const whole = (era: Era, request: Request, result: MethodResult, headers: Record<string, string> | undefined): Answer =>
  ({ kind: 'whole', status: 200, body: resultResponse(request.id, era.result(result)), ...(headers && { headers }) })

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
