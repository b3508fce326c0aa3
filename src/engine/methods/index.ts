/** The table of methods. One without the column of an era does not exist in that era. */
import type { Params } from '../jsonrpc/message.js'
import { isObject } from '../../lib/json/json-object.js'
import { completeArgument } from './completion-complete.js'
import { initialize, discover } from './discovery.js'
import { getSkill, listSkills, readDirectory } from './skills.js'
import { ping, setLogLevel, subscribe, unsubscribe } from './session.js'
import { offers, type Method, type OptionalFeature, type ServerFeatures } from './method.js'
import { getPrompt, listPrompts } from './prompts.js'
import { listResources, listResourceTemplates, readResource } from './resources.js'
import { listenToChanges, listenWeight } from './subscriptions-listen.js'
import { cancelTask, getTask, updateTask } from './tasks.js'
import { callTool } from './tools-call.js'
import { listTools } from './tools-list.js'

export interface MethodDefinition {
  name: string
  run: Method
  legacy: boolean
  modern: boolean
  /** The parameter that the `Mcp-Name` header mirrors. The audit row names it, unless the method has `targets`. */
  target?: 'name' | 'uri' | 'taskId'
  /** Whether each call writes a row to the audit log. A call that is refused as `forbidden` always does. */
  audited: boolean
  /** What the audit rows name, one row each. Values that are not text are left out. */
  targets?: (params: Params) => readonly unknown[]
  /** The feature that the server must have for the method to exist. */
  requires?: OptionalFeature
  /** Whether the reply is always a stream, whatever the reply mode: the stream is the purpose of the method. */
  alwaysStreams?: boolean
  /** Whether the work may go on as a task: SEP-2663, supported methods. */
  becomesTask?: boolean
  /** How many calls a request counts as for the rate limits; one by default. */
  weight?: (params: Params) => number
}

const L = { legacy: true }
const M = { modern: true }
const AUDITED = { audited: true }
const NAME = { target: 'name' } as const
const URI = { target: 'uri' } as const
const TOOLS = { requires: 'tools' } as const
const MAY_BE_TASK = { becomesTask: true }
const RESOURCES = { requires: 'resources' } as const
const COMPLETIONS = { requires: 'completions' } as const
const PROMPTS = { requires: 'prompts' } as const
const CHANGES = { requires: 'changes' } as const
const LOGS = { requires: 'logs' } as const
const SKILLS = { requires: 'skills' } as const
// Without `target`, as their extension has no `Mcp-Name` header.
const NAMES_URI = { targets: ({ uri }: Params) => [uri] }
const LISTENS = { alwaysStreams: true, weight: listenWeight }
const REFERENCE = { targets: ({ ref }: Params) => isObject(ref) ? [ref['uri'] ?? ref['name']] : [] }
const WATCHED = {
  targets: ({ notifications }: Params) =>
    isObject(notifications) ? listOf(notifications['resourceSubscriptions']) : []
}
const TASKS = { requires: 'tasks', target: 'taskId' } as const

const listOf = (value: unknown): readonly unknown[] => Array.isArray(value) ? value : []

const method = (name: string, run: Method, ...traits: Array<Partial<MethodDefinition>>): MethodDefinition =>
  Object.assign({ name, run, legacy: false, modern: false, audited: false }, ...traits)

/* eslint-disable @stylistic/no-multi-spaces -- a table */
//                                                        legacy, modern, …
export const METHODS: readonly MethodDefinition[] = [
  method('initialize',               initialize,            L),
  method('ping',                     ping,                  L),
  method('server/discover',          discover,                 M),
  method('tools/list',               listTools,             L, M, TOOLS),
  method('tools/call',               callTool,              L, M, TOOLS, AUDITED, NAME, MAY_BE_TASK),
  method('resources/list',           listResources,         L, M, RESOURCES, AUDITED),
  method('resources/templates/list', listResourceTemplates, L, M, RESOURCES),
  method('resources/read',           readResource,          L, M, RESOURCES, AUDITED, URI),
  method('prompts/list',             listPrompts,           L, M, PROMPTS),
  method('prompts/get',              getPrompt,             L, M, PROMPTS, AUDITED, NAME),
  method('completion/complete',      completeArgument,      L, M, COMPLETIONS, AUDITED, REFERENCE),
  method('logging/setLevel',         setLogLevel,           L,    LOGS),
  method('resources/subscribe',      subscribe,             L,    CHANGES, AUDITED, URI),
  method('resources/unsubscribe',    unsubscribe,           L,    CHANGES, AUDITED, URI),
  method('subscriptions/listen',     listenToChanges,                   M, CHANGES, LISTENS, AUDITED, WATCHED),
  method('skills/list',              listSkills,               M, SKILLS),
  method('skills/get',               getSkill,                 M, SKILLS, NAMES_URI),
  method('resources/directory/read', readDirectory,            M, SKILLS, NAMES_URI),
  method('tasks/get',                getTask,                  M, TASKS),
  method('tasks/update',             updateTask,               M, TASKS, AUDITED),
  method('tasks/cancel',             cancelTask,               M, TASKS, AUDITED)
]
/* eslint-enable @stylistic/no-multi-spaces */

export const methodsFor = (features: ServerFeatures): ReadonlyMap<string, MethodDefinition> =>
  new Map(METHODS
    .filter(({ requires }) => requires === undefined || offers(features, requires))
    .map((definition) => [definition.name, definition]))

export const targetsOf = (definition: MethodDefinition, params: Params): string[] => {
  const targets = definition.targets?.(params) ?? (definition.target === undefined ? [] : [params[definition.target]])
  return [...new Set(targets)].filter((target) => typeof target === 'string')
}

export const targetOf = (definition: MethodDefinition, params: Params): unknown =>
  definition.target && params[definition.target]
