/** Drives a handler that yields events before its result: sends notifications, requests input, hands over to a task. */
import type { InputResponses, HandlerEvent, BecomeTask } from './request-context.js'
import type { MethodResult } from './methods/method.js'
import { created, declaresTasks, requireTasks } from './tasks/task.js'
import type { HttpExchange, Frame, AdmittedRequest } from './eras/era.js'
import { faultReply } from './eras/faults.js'
import { isInputResponse, requireCapabilities } from './input-request.js'
import { encodeNotification } from './encode-notification.js'
import { outcomeOf, toFault, type RequestExecution } from './execution.js'

/** Frames, and then the framed result. */
export type HandlerStream = AsyncGenerator<Frame, Record<string, unknown>, void>

type RunningHandler = AsyncGenerator<HandlerEvent, MethodResult, unknown>

export async function * runHandler (
  execution: RequestExecution, work: RunningHandler, admitted: AdmittedRequest
): HandlerStream {
  const { era, request, exchange, auditRecorder, cancellation } = execution
  const requestInput = era.inputRequester(request, admitted, exchange, cancellation)
  let handedOff = false
  // A subscription only waits, for as long as its client listens; how many there are is bounded as open streams.
  const over = execution.definition?.alwaysStreams ? undefined : heldUntil(exchange)
  let lastProgress = -Infinity
  let resume = (): ReturnType<RunningHandler['next']> => work.next()
  try {
    for (;;) {
      const { done, value } = await cancellation.race(resume())
      resume = () => work.next()
      if (done) {
        await auditRecorder.finish(outcomeOf(value), admitted)
        return era.result(value, admitted)
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
          return task
        }
        case 'input': {
          const outcome = requestInput(value)
          if (outcome.kind === 'ended') {
            await auditRecorder.finish('input_required', admitted)
            return outcome.result
          }
          if (outcome.kind === 'asking') {
            await outcome.noted
            yield * outcome.frames
          }
          resume = await resumeWith(outcome.responses, work)
          break
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
    }
  } finally {
    if (!handedOff) await cancelHandler(execution, work)
    over?.()
  }
}

/** The work counts as its caller's until what this gives is called. */
const heldUntil = ({ hold }: HttpExchange): (() => void) | undefined => {
  if (!hold) return undefined
  let over = (): void => {}
  hold(new Promise<void>((resolve) => { over = resolve }))
  return over
}

/** Work that does not listen to its signal ends when it will. */
const cancelHandler = async ({ cancellation, exchange }: RequestExecution, work: RunningHandler): Promise<void> => {
  const returned = work.return(undefined as never)
  if (cancellation.aborted) {
    exchange.hold?.(returned)
    returned.catch(() => {})
  } else {
    await returned
  }
}

/** Leaves the work to go on as a task; undefined when the client does not know tasks and the work can do without. */
const handOffToTask = async (
  execution: RequestExecution, work: RunningHandler, admitted: AdmittedRequest, { required = false }: BecomeTask
): Promise<Record<string, unknown> | undefined> => {
  const { engine, era, exchange, cancellation } = execution
  const { tasks } = engine.features
  if (!tasks || !era.task || !declaresTasks(admitted.client.capabilities)) {
    if (required) requireTasks(admitted)
    return undefined
  }
  // From here on the caller may go.
  execution.detached = true
  const task = await tasks.submit({
    work,
    owner: exchange.principal.credential.id,
    cancellation,
    toResult: ({ result }) => result,
    toError: (error) => faultReply(toFault(engine, error, exchange), era.name).error,
    requireAnswerable: (step) => requireCapabilities(step, admitted.client.capabilities),
    isInputResponse
  })
  return era.task(created(task))
}

/** Goes on with the work: with the answers, or with the failure to get them. */
const resumeWith = async (
  answers: InputResponses | Promise<InputResponses>, work: RunningHandler
): Promise<() => ReturnType<RunningHandler['next']>> => {
  try {
    const responses = await answers
    return () => work.next(responses)
  } catch (error) {
    return () => work.throw(error)
  }
}
