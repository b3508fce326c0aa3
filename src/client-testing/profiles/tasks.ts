/** Profiles: tasks instead of results (2026-07-28, SEP-2663), for clients that declare the extension. */
import { asObject, isObject, type JsonObject } from '../../lib/json/json-object.js'
import { capabilitiesOf, idOf, isRequest, paramsOf, type ClientRequest, type Exchange } from '../proxy/exchange.js'
import { errorReply, responseOf, resultReply, withResult } from '../proxy/reply.js'
import {
  breaks, COPING_OR_FAILING, fromFirst, judgeCoping, judgeCopingOrFailing, judgeProcess, refusingJudge
} from './judges.js'
import type { Evidence, Judgement, ProfileRow } from './profile.js'

const TASKS = 'io.modelcontextprotocol/tasks'
const TASK_ID = 'task-of-the-test'
const POLL_MS = 1000

const declares = (call: ClientRequest): boolean => {
  const { extensions } = capabilitiesOf(call)
  return isObject(extensions) && isObject(extensions[TASKS])
}

type Step = 'working' | 'completed' | 'expired'

/** The first call becomes a task, whose polls are answered by these steps; `judge` gets the call and the polls. */
const task = (
  steps: readonly Step[], anchor: string,
  rest: Pick<ProfileRow, 'id' | 'kind' | 'level' | 'happens' | 'expects' | 'judgedBy'>,
  judge: (first: Exchange, polls: Exchange[], evidence: Evidence) => Judgement
): ProfileRow => ({
  ...rest,
  needs: 'tools/call',
  modern: `seps/2663-tasks-extension#${anchor}`,
  create () {
    let polls = 0
    let createdAt: string | undefined
    let response: Promise<JsonObject | undefined> | undefined
    const fields = (status: string): JsonObject =>
      ({ taskId: TASK_ID, status, createdAt, lastUpdatedAt: createdAt, ttlMs: 60_000, pollIntervalMs: POLL_MS })
    return {
      async answer (call, turn) {
        if (isRequest(call, 'tools/call') && declares(call) && createdAt === undefined) {
          createdAt = new Date().toISOString()
          turn.inject('a task instead of a result')
          response = turn.forward().then((reply) => responseOf(reply, idOf(call)))
          response.catch(() => {})
          return resultReply(call, { resultType: 'task', ...fields('working') })
        }
        if (paramsOf(call)['taskId'] !== TASK_ID) return undefined
        if (!isRequest(call, 'tasks/get')) return resultReply(call, { resultType: 'complete' })
        const step = steps[Math.min(polls++, steps.length - 1)] ?? 'working'
        if (step === 'expired') return errorReply(call, { code: -32602, message: 'There is no such task.' }, 400)
        const result = (await response)?.['result']
        return resultReply(call, {
          resultType: 'complete', ...fields(step), ...(step === 'completed' && { result })
        })
      },
      // A client sends the extension only to servers that have it.
      reply: (reply, call) => isRequest(call, 'server/discover')
        ? withResult(reply, call, (result) => ({
          ...result, capabilities: { ...asObject(result['capabilities']), extensions: { [TASKS]: {} } }
        }))
        : reply
    }
  },
  judge: fromFirst('The client called no tool, or did not declare the tasks extension.', (first, later, evidence) =>
    judge(first, later.filter(({ call }) => isRequest(call, 'tasks/get')), evidence))
})

const judgeEnd = refusingJudge()
const NEEDED = 3

export const tasks: readonly ProfileRow[] = [
  task(['working', 'working', 'completed'], 'task-polling', {
    id: 'task',
    kind: 'legal',
    level: 'MUST',
    happens: 'a call is answered by a task, which is done at the third poll',
    expects: 'ask by tasks/get, not more often than pollIntervalMs says, until it is done',
    judgedBy: 'three polls at least, none too early, and the process ends with 0'
  }, (first, polls, evidence) => {
    if (polls.length < NEEDED) {
      return judgeProcess(evidence, first) ??
        breaks(`It asked for the task ${polls.length} times; it was done at the ${NEEDED}th.`, first)
    }
    const early = polls.find(({ at }, index) => at - (polls[index - 1]?.at ?? first.at) < POLL_MS - 50)
    return early
      ? breaks(`It asked again before pollIntervalMs (${POLL_MS}) was over.`, early)
      : judgeCoping(evidence)
  }),
  task(['working', 'expired'], 'error-handling', {
    id: 'task-expired',
    kind: 'legal',
    level: 'SHOULD',
    happens: 'a task is gone at the second poll: -32602',
    expects: 'report an error or call again, and stop polling',
    judgedBy: `at most three further polls; ${COPING_OR_FAILING}`
  }, (_first, polls, evidence) => polls[5]
    ? breaks(`It asked for the expired task ${polls.length} times.`, polls[5])
    : judgeCopingOrFailing(evidence)),
  task(['completed', 'working'], 'task-status', {
    id: 'task-backwards',
    kind: 'illegal',
    level: 'SHOULD',
    happens: 'a task is completed at its first poll; every later poll says that it is working',
    expects: 'take completed as the end, and ask no more',
    judgedBy: 'no poll follows the one that said completed'
  }, (first, [poll, again], evidence) => {
    if (!poll) return judgeProcess(evidence, first) ?? breaks('It did not ask for the task.', first)
    return again
      ? breaks('It asked again for a completed task.', again)
      : judgeEnd({ ...evidence, marker: '\0' })
  })
]
