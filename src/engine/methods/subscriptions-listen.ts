/** Streams changes for as long as the client listens: 2026-07-28 basic/patterns/subscriptions. */
import type { RequestContext, HandlerEvent, HandlerGenerator } from '../request-context.js'
import type { ResourceChange, ChangeNotifier, ListKind } from '../subscriptions.js'
import { requireParams } from '../../lib/errors.js'
import { asObject, isObject, keysOf } from '../../lib/json/json-object.js'
import type { Params } from '../jsonrpc/message.js'
import type { ServerFeatures, Method, MethodResult } from './method.js'
import type { TaskRecord } from '../tasks/task-store.js'
import { detailed, requireTasks } from '../tasks/task.js'
import { rejectRefusal, requireStorable } from './guards.js'
import { requireUri } from './resources.js'

const MAX_NAMES = 100

const FIELDS = {
  toolsListChanged: 'tools', promptsListChanged: 'prompts', resourcesListChanged: 'resources'
} as const satisfies Record<string, ListKind>

export const listenToChanges: Method = (params, context, features) =>
  subscriptionEvents(parseFilter(params), context, features, features.changes!)

/**
 * Returns the number of resources and tasks that a request names, because each is looked up; at least 1. A list
 * that is too long counts 0: it is refused without a look-up.
 */
export const listenWeight = ({ notifications }: Params): number => {
  const { resourceSubscriptions, taskIds } = asObject(notifications)
  const [uris, tasks] = [resourceSubscriptions, taskIds].map((names) =>
    Array.isArray(names) && names.length <= MAX_NAMES ? names.length : 0)
  return Math.max(1, (uris ?? 0) + (tasks ?? 0))
}

interface RequestedFilter { lists: Array<keyof typeof FIELDS>, uris: readonly string[], tasks: readonly string[] }

async function * subscriptionEvents (
  requested: RequestedFilter, context: RequestContext, features: ServerFeatures, changes: ChangeNotifier
): HandlerGenerator<MethodResult> {
  const from = await changes.position()
  const { credential: { id: owner } } = context.principal
  if (requested.tasks.length > 0) requireTasks(context)
  const fields = requested.lists.filter((field) => changes.lists.has(FIELDS[field]))
  const uris = await readable(requested.uris, context, features)
  const tasks = await existingTasks(requested.tasks, context, features)
  yield {
    kind: 'notification',
    method: 'notifications/subscriptions/acknowledged',
    params: {
      notifications: {
        ...Object.fromEntries(fields.map((field) => [field, true])),
        ...(requested.uris.length > 0 && { resourceSubscriptions: uris }),
        ...(requested.tasks.length > 0 && { taskIds: tasks.map(({ id }) => id) })
      }
    }
  }
  const subscription = { lists: new Set(fields.map((field) => FIELDS[field])), uris: () => uris }
  yield * mergeUntilFirstEnds(
    stepsOf(changes.follow(context.principal, subscription, from, context.signal)),
    ...tasks.flatMap((task) => features.tasks ? [taskSteps(features.tasks.watch(task, owner, context.signal))] : []))
  // 2026-07-28 basic/patterns/cancellation: a server that ends a subscription says so, and then answers it
  yield {
    kind: 'notification',
    method: 'notifications/cancelled',
    params: { requestId: context.jsonrpcId, reason: 'The server ends this subscription.' }
  }
  return { result: {} }
}

const parseFilter = ({ notifications }: Params): RequestedFilter => {
  requireParams(isObject(notifications), '"params.notifications" says what to listen to.')
  const lists = keysOf(FIELDS)
  for (const field of lists) {
    const isFlag = notifications[field] === undefined || typeof notifications[field] === 'boolean'
    requireParams(isFlag, `"params.notifications.${field}" is true or false.`)
  }
  return {
    lists: lists.filter((field) => notifications[field] === true),
    uris: namesOf(notifications, 'resourceSubscriptions'),
    tasks: namesOf(notifications, 'taskIds')
  }
}

const namesOf = (notifications: Params, field: string): string[] => {
  const { [field]: names = [] } = notifications
  requireParams(
    Array.isArray(names) && names.length <= MAX_NAMES && names.every((name) => typeof name === 'string'),
    `"params.notifications.${field}" is a list of at most ${MAX_NAMES} strings.`)
  requireStorable(`notifications.${field}`, names)
  return [...new Set<string>(names)]
}

/** The URIs of resources that exist, each in its first spelling. One that the caller may not see refuses all. */
const readable = async (
  uris: readonly string[], context: RequestContext, { resources, showEntries }: ServerFeatures
): Promise<string[]> => {
  const spellings = new Map<string, string>()
  for (const uri of uris) {
    const canonical = resources.canonical(requireUri(uri))
    if (canonical !== undefined && !spellings.has(canonical)) spellings.set(canonical, uri)
  }
  const named = [...spellings.values()]
  const there = named.length === 0 ? [] : await resources.locate(named, context).catch(rejectRefusal)
  const found = named.filter((_, at) => there[at])
  if (!showEntries) return found
  const shown = await showEntries('subscriptions/listen', found.map((uri) => ({ uri })), ({ uri }) => uri, context)
  return shown.map(({ uri }) => uri)
}

const existingTasks = async (
  ids: readonly string[], { principal, signal }: RequestContext, { tasks }: ServerFeatures
): Promise<TaskRecord[]> => {
  const found: TaskRecord[] = []
  for (const id of ids) {
    signal.throwIfAborted()
    const task = await tasks?.get(id, principal.credential.id)
    if (task) found.push(task)
  }
  return found
}

async function * stepsOf (batches: ReturnType<ChangeNotifier['follow']>): HandlerGenerator<void> {
  for await (const { changes } of batches) yield * changes.map(notificationOf)
}

async function * taskSteps (states: AsyncIterable<TaskRecord>): HandlerGenerator<void> {
  for await (const task of states) yield { kind: 'notification', method: 'notifications/tasks', params: detailed(task) }
}

const notificationOf = (change: ResourceChange): HandlerEvent => change.kind === 'updated'
  ? { kind: 'notification', method: 'notifications/resources/updated', params: { uri: change.uri } }
  : { kind: 'notification', method: `notifications/${change.list}/list_changed`, params: {} }

type Source<T> = AsyncGenerator<T, void, unknown>

/** Does not call `return` on the others than `first`: end them by a signal. */
async function * mergeUntilFirstEnds<T> (first: Source<T>, ...others: ReadonlyArray<Source<T>>): Source<T> {
  const next = async (from: Source<T>) => ({ from, step: await from.next() })
  const pending = new Map([first, ...others].map((source) => [source, next(source)]))
  while (pending.has(first)) {
    const { from, step } = await Promise.race(pending.values())
    if (step.done) {
      pending.delete(from)
    } else {
      yield step.value
      pending.set(from, next(from))
    }
  }
}
