/** Runs a handler that yields events before its result: sends notifications, requests input, hands over to a task. */
import type { AuditRecorder } from './audit-recorder.js'
import type { LazyAbortController } from './cancellation.js'
import type { AdmittedRequest, Era, Frame, HttpExchange } from './eras/era.js'
import { faultReply } from './eras/faults.js'
import { isInputResponse, requireCapabilities } from './input-request.js'
import { notification, type Request } from './jsonrpc/message.js'
import { LOG_LEVELS } from './log-level.js'
import { outcomeOf, type MethodResult } from './methods/method.js'
import { toFault, type ProtocolEngine } from './protocol-engine.js'
import type { BecomeTask, HandlerGenerator, OutgoingNotification } from './request-context.js'
import { supports } from './revisions.js'
import { created, declaresTasks, requireTasks } from './tasks/task.js'
import { visibleResult, type FramedResult } from './visible-result.js'

export interface HandledRequest {
  engine: ProtocolEngine
  era: Era
  request: Request
  exchange: HttpExchange
  auditRecorder: AuditRecorder
  cancellation: LazyAbortController
  /** From now on the work continues when the caller disconnects. */
  detach (): void
}

export type HandlerStream = AsyncGenerator<Frame, FramedResult, void>

/** Yields frames and returns the result as its era frames it, after the audit row was written. */
export async function * runHandler (
  execution: HandledRequest, work: HandlerGenerator<MethodResult>, admitted: AdmittedRequest
): HandlerStream {
  const { era, request, exchange, auditRecorder, cancellation } = execution
  const requestInput = era.inputRequester(request, admitted, exchange, cancellation)
  // A subscription only waits, for as long as its client listens; their number is bounded as open streams.
  const release = admitted.method.alwaysStreams ? undefined : holdSlot(exchange)
  let handedOff = false
  let lastProgress = -Infinity
  try {
    let next = work.next()
    for (;;) {
      const { done, value } = await cancellation.race(next)
      if (done) {
        await auditRecorder.finish(outcomeOf(value), admitted)
        return { framed: era.result(value, admitted), hasRecordTexts: value.hasRecordTexts }
      }
      switch (value.kind) {
        case 'release':
          yield value
          break
        case 'task': {
          const task = await handOffToTask(execution, work, admitted, value)
          if (task === undefined) break
          handedOff = true
          await auditRecorder.finish('task', admitted)
          return { framed: task }
        }
        case 'input': {
          const outcome = requestInput(value)
          if (outcome.kind === 'ended') {
            await auditRecorder.finish('input_required', admitted)
            return { framed: outcome.result }
          }
          if (outcome.kind === 'asking') {
            await outcome.noted
            yield * outcome.frames
          }
          next = Promise.resolve(outcome.responses)
            .then((responses) => work.next(responses), (error: unknown) => work.throw(error))
          continue
        }
        case 'progress':
        case 'log':
        case 'notification': {
          // 2026-07-28 basic/patterns/progress#progress-flow: it has to grow
          if (value.kind === 'progress') {
            if (value.progress <= lastProgress) break
            lastProgress = value.progress
          }
          if (value.kind === 'notification') await auditRecorder.begun(value.params['notifications'], admitted)
          const frame = await encodeNotification(value, admitted)
          if (frame !== undefined) yield frame
        }
      }
      next = work.next()
    }
  } finally {
    if (!handedOff) await stopHandler(execution, work)
    release?.()
  }
}

/** Keeps the slot of the call occupied until the function that it returns is called. */
const holdSlot = ({ slot }: HttpExchange): (() => void) | undefined => {
  if (!slot) return undefined
  let release = (): void => {}
  slot.hold(new Promise<void>((resolve) => { release = resolve }))
  return release
}

/** A handler that does not listen to its signal ends later; until then it occupies the slot of its call. */
const stopHandler = async (
  { cancellation, exchange }: HandledRequest, work: HandlerGenerator<MethodResult>
): Promise<void> => {
  // No caller reads the result of a stopped handler.
  const stopped = work.return(undefined as never)
  if (cancellation.aborted) exchange.slot?.hold(stopped.catch(() => {}))
  else await stopped
}

/** Hands the handler over to a task; undefined where there can be none and the handler can do without. */
const handOffToTask = async (
  execution: HandledRequest, work: HandlerGenerator<MethodResult>, admitted: AdmittedRequest,
  { required = false }: BecomeTask
): Promise<Record<string, unknown> | undefined> => {
  const { engine, era, exchange, cancellation } = execution
  const { tasks } = engine.features
  if (!admitted.method.becomesTask) return undefined
  if (!tasks || !era.task || !declaresTasks(admitted.client.capabilities)) {
    if (required) requireTasks(admitted)
    return undefined
  }
  execution.detach()
  const task = await tasks.submit({
    work,
    owner: exchange.principal.credential.id,
    cancellation,
    toResult: (result) => visibleResult(result).result,
    toError: (error) => faultReply(toFault(engine, error, exchange), era.name).error,
    requireAnswerable: (step) => requireCapabilities(step, admitted.client.capabilities),
    isInputResponse
  })
  return era.task(created(task))
}

/** Undefined when the caller did not ask for it: progress without a token, or a log message below its level. */
const encodeNotification = async (
  step: OutgoingNotification, admitted: AdmittedRequest
): Promise<string | undefined> => {
  const { progressToken, revision, notificationMeta } = admitted
  switch (step.kind) {
    case 'progress': {
      if (progressToken === undefined) return undefined
      const { kind, message, ...rest } = step
      return notification('notifications/progress',
        { progressToken, ...rest, ...(message !== undefined && supports(revision, 'progressMessage') && { message }) })
    }
    case 'log': {
      const { logLevel } = admitted
      const threshold = typeof logLevel === 'function' ? await logLevel() : logLevel
      if (threshold === undefined || LOG_LEVELS.indexOf(step.level) < LOG_LEVELS.indexOf(threshold)) return undefined
      const { kind, ...params } = step
      return notification('notifications/message', params)
    }
    case 'notification':
      return notification(step.method, notificationMeta ? { _meta: notificationMeta, ...step.params } : step.params)
  }
}
