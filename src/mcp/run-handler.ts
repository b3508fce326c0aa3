/** Work that has something to do before its result: says what is worth saying, asks what has to be asked, leaves it as a task. */
import type { Answers, Step, TaskStep } from './request-context.js'
import type { MethodResult } from './methods/method.js'
import { created, declaresTasks, requireTasks } from './tasks/task.js'
import type { Exchange, Frame, Opened } from './eras/era.js'
import { faultReply } from './eras/faults.js'
import { isAnswer, requireCapabilities } from './input-request.js'
import { said } from './encode-notification.js'
import { outcomeOf, toFault, type Turn } from './execution.js'

/** Frames, and then the framed result. */
export type Speech = AsyncGenerator<Frame, Record<string, unknown>, void>

type Working = AsyncGenerator<Step, MethodResult, unknown>

export async function * speak (turn: Turn, work: Working, opened: Opened): Speech {
  const { era, request, exchange, record, stop } = turn
  const ask = era.asker(request, opened, exchange, stop)
  let left = false
  // A subscription only waits, for as long as its client listens; how many there are is bounded as open streams.
  const over = turn.entry?.streams ? undefined : heldUntil(exchange)
  let reached = -Infinity
  let resume = (): ReturnType<Working['next']> => work.next()
  try {
    for (;;) {
      const { done, value } = await stop.orElse(resume())
      resume = () => work.next()
      if (done) {
        await record.done(outcomeOf(value), opened)
        return era.result(value, opened)
      }
      switch (value.kind) {
        case 'release':
          yield value
          break
        case 'task': {
          const task = await leave(turn, work, opened, value)
          if (task === undefined) break
          left = true
          await record.done('task', opened)
          return task
        }
        case 'input': {
          const asked = ask(value)
          if (asked.kind === 'ended') {
            await record.done('input_required', opened)
            return asked.result
          }
          if (asked.kind === 'asking') {
            await asked.noted
            yield * asked.frames
          }
          resume = await heard(asked.answers, work)
          break
        }
        case 'progress':
        case 'log':
        case 'notification': {
          // 2026-07-28 basic/patterns/progress#progress-flow: it has to grow
          if (value.kind === 'progress') {
            if (value.progress <= reached) break
            reached = value.progress
          }
          if (value.kind === 'notification') await record.begun(value.params['notifications'], opened)
          const frame = await said(value, opened)
          if (frame !== undefined) yield frame
        }
      }
    }
  } finally {
    if (!left) await end(turn, work)
    over?.()
  }
}

/** The work counts as its caller's until what this gives is called. */
const heldUntil = ({ hold }: Exchange): (() => void) | undefined => {
  if (!hold) return undefined
  let over = (): void => {}
  hold(new Promise<void>((resolve) => { over = resolve }))
  return over
}

/** Work that does not listen to its signal ends when it will. */
const end = async ({ stop, exchange }: Turn, work: Working): Promise<void> => {
  const returned = work.return(undefined as never)
  if (stop.stopped) {
    exchange.hold?.(returned)
    returned.catch(() => {})
  } else {
    await returned
  }
}

/** Leaves the work to go on as a task; undefined when the client does not know tasks and the work can do without. */
const leave = async (
  turn: Turn, work: Working, opened: Opened, { required = false }: TaskStep
): Promise<Record<string, unknown> | undefined> => {
  const { conversation, era, exchange, stop } = turn
  const { tasks } = conversation.catalogue
  if (!tasks || !era.task || !declaresTasks(opened.client.capabilities)) {
    if (required) requireTasks(opened)
    return undefined
  }
  // From here on the caller may go.
  turn.kept = true
  const task = await tasks.leave({
    work,
    owner: exchange.principal.credential.id,
    stop,
    framed: ({ result }) => result,
    failed: (error) => faultReply(toFault(conversation, error, exchange), era.name).error,
    check: (step) => requireCapabilities(step, opened.client.capabilities),
    isAnswer
  })
  return era.task(created(task))
}

/** Goes on with the work: with the answers, or with the failure to get them. */
const heard = async (answers: Answers | Promise<Answers>, work: Working): Promise<() => ReturnType<Working['next']>> => {
  try {
    const given = await answers
    return () => work.next(given)
  } catch (error) {
    return () => work.throw(error)
  }
}
