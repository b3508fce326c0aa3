/** Profiles: tasks instead of results (2026-07-28, SEP-2663), for clients that declare the extension. */
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import { idOf, methodOf, paramsOf, type ClientRequest } from '../proxy/client-request.js'
import { errorReply, jsonReply, responseOf, withResult, type Reply } from '../proxy/reply.js'
import {
  COPING_OR_FAILING, afterInjection, fail, injectedIn, judgeCoping, judgeProcess, judgeRefusing, notExercised
} from './judges.js'
import type { Evidence, Judgement, Profile } from './profile.js'

const TASKS = 'io.modelcontextprotocol/tasks'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const TASK_ID = 'task-of-the-test'
const POLL_MS = 1000

const declares = (call: ClientRequest): boolean => {
  const { _meta: meta } = paramsOf(call)
  const capabilities = isObject(meta) ? meta[CAPABILITIES] : undefined
  const extensions = isObject(capabilities) ? capabilities['extensions'] : undefined
  return isObject(extensions) && isObject(extensions[TASKS])
}

type Step = 'working' | 'completed' | 'expired'

/** Answers the first call by a task, whose polls are answered by these steps; the last one stays. */
const task = (
  id: string,
  rest: Pick<Profile, 'kind' | 'level' | 'happens' | 'expects' | 'judgedBy'>,
  steps: readonly Step[],
  judge: (evidence: Evidence) => Judgement,
  modern = 'seps/2663-tasks-extension#task-polling'
): Profile => ({
  id,
  family: 'tasks',
  eras: ['modern'],
  needs: 'tools/call',
  modern,
  ...rest,
  create: () => {
    let polls = 0
    let createdAt: string | undefined
    let response: Promise<JsonObject | undefined> | undefined
    const fields = (status: string): JsonObject => ({
      taskId: TASK_ID,
      status,
      createdAt,
      lastUpdatedAt: createdAt,
      ttlMs: 60_000,
      pollIntervalMs: POLL_MS
    })
    const respond = (call: ClientRequest, result: JsonObject): Reply =>
      jsonReply({ jsonrpc: '2.0', id: idOf(call), result })
    return {
      async answer (call, interception) {
        if (methodOf(call) === 'tools/call' && declares(call) && createdAt === undefined) {
          createdAt = new Date().toISOString()
          interception.inject('a task instead of a result')
          response = interception.forward().then((reply) => responseOf(reply, idOf(call)))
          response.catch(() => {})
          return respond(call, { resultType: 'task', ...fields('working') })
        }
        if (paramsOf(call)['taskId'] !== TASK_ID) return undefined
        if (methodOf(call) !== 'tasks/get') return respond(call, { resultType: 'complete' })
        const step = steps[Math.min(polls++, steps.length - 1)]
        if (step === 'expired') {
          return errorReply(idOf(call), { code: -32602, message: 'There is no such task.' }, 400)
        }
        const result = (await response)?.['result']
        return respond(call, {
          resultType: 'complete',
          ...fields(step ?? 'working'),
          ...(step === 'completed' && { result })
        })
      },
      // A client sends the extension only to servers that have it.
      reply: (reply, call) =>
        methodOf(call) !== 'server/discover'
          ? reply
          : withResult(reply, idOf(call), (result) => ({
            ...result,
            capabilities: {
              ...(isObject(result['capabilities']) && result['capabilities']),
              extensions: { [TASKS]: {} }
            }
          })),
      judge
    }
  }
})

const polls = (evidence: Evidence) => afterInjection(evidence).filter(({ call }) => methodOf(call) === 'tasks/get')
const NONE = 'The client called no tool, or did not declare the tasks extension.'

const judgePolling =
  (needed: number) =>
    (evidence: Evidence): Judgement => {
      const [first] = injectedIn(evidence)
      if (!first) return notExercised(NONE)
      const requests = polls(evidence)
      if (requests.length < needed) {
        return (
          judgeProcess(evidence, first.number) ??
        fail(
          'breaks the rule',
          `It asked for the task ${requests.length} times; it was done at the ${needed}th.`,
          first.number
        )
        )
      }
      const early = requests.find(({ at }, index) => at - (requests[index - 1]?.at ?? first.at) < POLL_MS - 50)
      if (early) {
        return fail('breaks the rule', `It asked again before pollIntervalMs (${POLL_MS}) was over.`, early.number)
      }
      return judgeCoping(evidence)
    }

export const tasks: readonly Profile[] = [
  task(
    'task',
    {
      kind: 'legal',
      level: 'MUST',
      happens: 'a call is answered by a task, which is done at the third poll',
      expects: 'ask by tasks/get, not more often than pollIntervalMs says, until it is done',
      judgedBy: 'three polls at least, none too early, and the process ends with 0'
    },
    ['working', 'working', 'completed'],
    judgePolling(3)
  ),
  task(
    'task-expired',
    {
      kind: 'legal',
      level: 'SHOULD',
      happens: 'a task is gone at the second poll: -32602',
      expects: 'report an error or call again, and stop polling',
      judgedBy: `at most three further polls; ${COPING_OR_FAILING}`
    },
    ['working', 'expired'],
    (evidence) => {
      const requests = polls(evidence)
      const [, , , , , sixth] = requests
      if (sixth) return fail('breaks the rule', `It asked for the expired task ${requests.length} times.`, sixth.number)
      return injectedIn(evidence).length === 0 ? notExercised(NONE) : judgeCoping(evidence, { mayFail: true })
    },
    'seps/2663-tasks-extension#error-handling'
  ),
  task(
    'task-backwards',
    {
      kind: 'illegal',
      level: 'SHOULD',
      happens: 'a task is completed at its first poll; who asks again is told that it is working, for ever',
      expects: 'take completed as the end, and ask no more',
      judgedBy: 'no poll follows the one that said completed'
    },
    ['completed', 'working'],
    (evidence) => {
      const [first] = injectedIn(evidence)
      if (!first) return notExercised(NONE)
      const [poll, again] = polls(evidence)
      if (!poll) {
        return (
          judgeProcess(evidence, first.number) ??
          fail('breaks the rule', 'It did not ask for the task.', first.number)
        )
      }
      if (again) return fail('breaks the rule', 'It asked again for a completed task.', again.number)
      return judgeRefusing({ ...evidence, marker: '\0' })
    },
    'seps/2663-tasks-extension#task-status'
  )
]
