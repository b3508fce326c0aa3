/** A stream of what changes, for as long as the client listens: 2026-07-28 basic/patterns/subscriptions. */
import type { Call, Step } from '../request-context.js'
import type { Change, Changes, List } from '../subscriptions.js'
import { Fault } from '../../lib/errors.js'
import { isObject } from '../jsonrpc/parse.js'
import type { Params } from '../jsonrpc/message.js'
import type { Catalogue, Method, MethodResult } from './method.js'
import type { TaskRecord } from '../../db/sql-task-store.js'
import { detailed, requireTasks } from '../tasks/task.js'
import { merged } from './merge-async.js'
import { requireUri } from './resources-read.js'
import { requireStorable } from './storable-text.js'

const MOST_NAMES = 100

const FIELDS = { toolsListChanged: 'tools', promptsListChanged: 'prompts', resourcesListChanged: 'resources' } as const satisfies Record<string, List>

export const listen: Method = (params, call, catalogue) => listening(filterOf(params), call, catalogue, catalogue.changes!)

/** One for each thing that is named: each is looked up. A list that is too long is refused, and not counted. */
export const listenWeight = ({ notifications }: Params): number => {
  if (!isObject(notifications)) return 1
  const named = ['resourceSubscriptions', 'taskIds'].map((field) => {
    const { [field]: names } = notifications
    return Array.isArray(names) && names.length <= MOST_NAMES ? names.length : 0
  })
  return Math.max(1, named.reduce((sum, count) => sum + count, 0))
}

interface Filter { lists: Array<keyof typeof FIELDS>, uris: readonly string[], tasks: readonly string[] }

async function * listening (
  asked: Filter, call: Call, catalogue: Catalogue, changes: Changes
): AsyncGenerator<Step, MethodResult, unknown> {
  const from = await changes.position()
  const { credential: { id: owner } } = call.principal
  if (asked.tasks.length > 0) requireTasks(call)
  const fields = asked.lists.filter((field) => changes.lists.has(FIELDS[field]))
  const uris = await readable(asked.uris, call, catalogue)
  const tasks = await known(asked.tasks, call, catalogue)
  yield {
    kind: 'notification',
    method: 'notifications/subscriptions/acknowledged',
    params: {
      notifications: {
        ...Object.fromEntries(fields.map((field) => [field, true])),
        ...(asked.uris.length > 0 && { resourceSubscriptions: uris }),
        ...(asked.tasks.length > 0 && { taskIds: tasks })
      }
    }
  }
  const wanted = { lists: new Set(fields.map((field) => FIELDS[field])), uris: () => uris }
  yield * merged(
    stepsOf(changes.follow(call.principal, wanted, from, call.signal)),
    ...tasks.map((id) => taskSteps(catalogue.tasks!.watch(id, owner, call.signal))))
  // 2026-07-28 basic/patterns/cancellation: a server that ends a subscription says so, and then answers it
  yield { kind: 'notification', method: 'notifications/cancelled', params: { requestId: call.messageId, reason: 'The server ends this subscription.' } }
  return { result: {} }
}

const filterOf = ({ notifications }: Params): Filter => {
  if (!isObject(notifications)) throw new Fault('invalid_params', '"params.notifications" says what to listen to.')
  const lists = Object.keys(FIELDS) as Array<keyof typeof FIELDS>
  for (const field of lists) {
    if (notifications[field] !== undefined && typeof notifications[field] !== 'boolean') {
      throw new Fault('invalid_params', `"params.notifications.${field}" is true or false.`)
    }
  }
  return {
    lists: lists.filter((field) => notifications[field] === true),
    uris: namesOf(notifications, 'resourceSubscriptions'),
    tasks: namesOf(notifications, 'taskIds')
  }
}

const namesOf = (notifications: Params, field: string): string[] => {
  const { [field]: names = [] } = notifications
  if (!Array.isArray(names) || names.length > MOST_NAMES || !names.every((name) => typeof name === 'string')) {
    throw new Fault('invalid_params', `"params.notifications.${field}" is a list of at most ${MOST_NAMES} strings.`)
  }
  requireStorable(`notifications.${field}`, names)
  return [...new Set<string>(names)]
}

/**
 * Those that are there, in the first spelling of each; others are left out of the acknowledgment. One that the caller may not see
 * refuses the whole.
 */
const readable = async (uris: readonly string[], call: Call, { resources }: Catalogue): Promise<string[]> => {
  const spellings = new Map<string, string>()
  for (const uri of uris) {
    const canonical = resources.canonical(requireUri(uri))
    if (canonical !== undefined && !spellings.has(canonical)) spellings.set(canonical, uri)
  }
  const named = [...spellings.values()]
  const there = named.length === 0 ? [] : await resources.locate(named, call)
  return named.filter((_, at) => there[at])
}

const known = async (ids: readonly string[], { principal, signal }: Call, { tasks }: Catalogue): Promise<string[]> => {
  const found: string[] = []
  for (const id of ids) {
    signal.throwIfAborted()
    if (await tasks?.get(id, principal.credential.id)) found.push(id)
  }
  return found
}

async function * stepsOf (batches: ReturnType<Changes['follow']>): AsyncGenerator<Step, void, unknown> {
  for await (const { changes } of batches) yield * changes.map(notificationOf)
}

async function * taskSteps (states: AsyncIterable<TaskRecord>): AsyncGenerator<Step, void, unknown> {
  for await (const task of states) yield { kind: 'notification', method: 'notifications/tasks', params: detailed(task) }
}

const notificationOf = (change: Change): Step => change.kind === 'updated'
  ? { kind: 'notification', method: 'notifications/resources/updated', params: { uri: change.uri } }
  : { kind: 'notification', method: `notifications/${change.list}/list_changed`, params: {} }
