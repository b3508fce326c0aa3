/**
 * The way of one message, without a socket: classify → open → dispatch → frame. Yields nothing itself; says whether the
 * answer is whole (a result came first) or a stream (something was said before it).
 */
import type { Call, Step } from '../call.js'
import { Fault } from '../errors.js'
import type { Entry } from '../methods/index.js'
import { targetOf } from '../methods/index.js'
import type { Catalogue, MethodResult } from '../methods/method.js'
import { errorResponse, notification, resultResponse, type Message, type Request } from '../rpc/message.js'
import type { Principal } from '../principal.js'
import { classify } from './classify.js'
import type { Era, Exchange, Opened } from './era.js'
import { faultReply } from './faults.js'
import { has } from './revisions.js'

export type Answer =
  | { kind: 'accepted' }
  | { kind: 'whole', status: number, headers?: Record<string, string>, body: string }
  | { kind: 'stream', headers?: Record<string, string>, frames: AsyncGenerator<string, void, unknown> }

/** What the audit log is told of a request. */
export interface Deed {
  principal: Principal
  method: string
  target: string | undefined
  /** `ok`, `error` for a result that says so, or the kind of the fault. */
  outcome: string
  durationMs: number
  requestId: string
  remoteAddress: string
  client: { name?: string, version?: string } | undefined
  notes: Readonly<Record<string, string>>
}

export interface Conversation {
  eras: Readonly<Record<Era['name'], Era>>
  methods: ReadonlyMap<string, Entry>
  catalogue: Catalogue
  /** Resolves once the deed is on record; the answer waits for it. */
  record (deed: Deed): Promise<void>
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
  const record = recorder(conversation, entry, request, exchange)
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

/** The wire form of a step; undefined when the caller did not ask to hear it. */
const said = (step: Step, { progressToken, logLevel, revision }: Opened): string | undefined => {
  if (step.kind === 'progress') {
    if (progressToken === undefined) return undefined
    const { kind, message, ...rest } = step
    return notification('notifications/progress',
      { progressToken, ...rest, ...(message !== undefined && has(revision, 'progressMessage') && { message }) })
  }
  if (logLevel === undefined || LEVELS.indexOf(step.level) < LEVELS.indexOf(logLevel)) return undefined
  const { kind, ...params } = step
  return notification('notifications/message', params)
}

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

const toFault = ({ unexpected }: Conversation, error: unknown, { requestId }: Exchange): Fault => {
  if (error instanceof Fault) return error
  unexpected(error, requestId)
  return new Fault('internal_error', `Something went wrong on the server. Tell its operator this request id: ${requestId}.`, { request_id: requestId })
}

/** Tells the audit log of a request once, where its method asks for that. */
const recorder = (conversation: Conversation, entry: Entry | undefined, request: Request, exchange: Exchange) => {
  const notes: Record<string, string> = {}
  const started = performance.now()
  let told = false
  return {
    notes,
    async done (outcome: string, opened: Opened | undefined): Promise<void> {
      if (!entry?.audited || told) return
      told = true
      const target = targetOf(entry, request.params)
      await conversation.record({
        principal: exchange.principal,
        method: request.method,
        target: typeof target === 'string' ? target : undefined,
        outcome,
        durationMs: performance.now() - started,
        requestId: exchange.requestId,
        remoteAddress: exchange.remoteAddress,
        client: opened?.client,
        notes
      })
    }
  }
}

/** One request's call; the signal is made only for work that can be taken back. */
const openCall = ({ revision, client }: Opened, exchange: Exchange, notes: Record<string, string>): Call => {
  let controller: AbortController | undefined
  return {
    principal: exchange.principal,
    revision,
    client,
    requestId: exchange.requestId,
    get signal () {
      if (!controller) {
        const made = controller = new AbortController()
        exchange.whenGone(() => made.abort())
      }
      return controller.signal
    },
    note (key, value) {
      notes[key] = value
    }
  }
}
