/** What an agent of this person gets when it calls each tool about one exploration. */
import { randomUUID } from 'node:crypto'
import type { FromSchema } from 'json-schema-to-ts'
import type shapes from '#schemas/operations/explorations.json'
import { Fault, Refusal } from '../../lib/errors.js'
import { isObject } from '../../lib/json/json-object.js'
import { stripInvisibleIn } from '../../lib/text/invisible.js'
import type { UserPrincipal } from '../../lib/principal.js'
import { createAttachServices, type HandlerOutput, type RequestContext } from '../../engine/request-context.js'
import { toolRegistry } from '../../engine/tools/tool-registry.js'
import { refused, type ToolResult } from '../../engine/tools/tool.js'
import { tools } from '../../planning/tools/index.js'
import type { PlanningTool, ToolServices } from '../../planning/tools/planning-tool.js'
import type { ExplorationDetail } from '../../planning/store.js'
import type { WebPerson } from '../permission.js'
import { visibleWorkspaces } from '../visible-workspaces.js'

type AgentView = FromSchema<typeof shapes.agentView>
type ToolAnswerView = AgentView['tools'][number]

const REVISION = '2025-11-25'
/** Each answer is shown; a package is long enough with its beginning. */
const PACKAGE_CHARS = 20_000

/** Creates the function that calls each tool; nothing of it is in the audit log, as no credential was used. */
export const createAgentView = (services: ToolServices) => {
  const registry = toolRegistry(tools, createAttachServices(services), { checkToolSchemas: false })

  const call = async (
    tool: PlanningTool, args: Record<string, unknown>, context: RequestContext<UserPrincipal>
  ): Promise<ToolAnswerView> => {
    const found = registry.get(tool.name)
    const bound = found?.scope === 'read' ? found : undefined
    const checked = await bound?.check({ ...args })
    const answer = bound && checked?.ok
      ? await toResult(() => finish(bound.run(checked.value, context)))
      : refused('This tool cannot be called.')
    const { content, structuredContent, isError = false } = stripInvisibleIn(answer)
    const text = content.map((part) => part.type === 'text' ? part.text : `[${part.type}]`).join('\n')
    return {
      name: tool.name,
      title: tool.title ?? tool.name,
      arguments: args,
      is_error: isError,
      text,
      ...(isObject(structuredContent) && { structured: structuredContent })
    }
  }

  return async (person: WebPerson, exploration: ExplorationDetail, signal: AbortSignal): Promise<AgentView> => {
    const views: ToolAnswerView[] = []
    for (const [name, args] of callsAbout(exploration)) {
      const tool = tools.find((one) => one.name === name)
      if (tool) views.push(await call(tool, args, contextFor(person, signal)))
    }
    return { tools: views }
  }
}

const callsAbout = ({ id, title, artifacts }: ExplorationDetail): Array<[string, Record<string, unknown>]> => [
  ['find_explorations', { query: title.slice(0, 300), limit: 3 }],
  ['get_exploration', { exploration_id: id }],
  ...artifacts.map(({ artifact_type: type }): [string, Record<string, unknown>] =>
    ['get_requirement_package', { exploration_id: id, artifact_type: type, max_chars: PACKAGE_CHARS }]),
  ['get_planning_state', { exploration_id: id }],
  ['get_planning_full', { exploration_id: id }],
  ['get_recommendations', { exploration_id: id }]
]

const contextFor = (person: WebPerson, signal: AbortSignal): RequestContext<UserPrincipal> => {
  const principal: UserPrincipal = {
    credential: {
      id: randomUUID(),
      kind: 'personal_access_token',
      name: 'web application',
      scope: 'read',
      expires_at: null
    },
    user: person.user,
    workspaces: visibleWorkspaces(person)
  }
  return {
    principal,
    revision: REVISION,
    client: { name: 'web application', capabilities: {} },
    jsonrpcId: 1,
    requestId: randomUUID(),
    signal,
    setAuditField () {},
    auditWithin: async (work) => await work(() => { throw new Error('nothing is recorded here') })
  }
}

/** Runs a tool to its result; progress and log messages are dropped. */
const finish = async (work: HandlerOutput<ToolResult>): Promise<ToolResult> => {
  if (!(Symbol.asyncIterator in work)) return work
  for (;;) {
    const step = await work.next()
    if (step.done) return step.value
  }
}

const toResult = async (work: () => Promise<ToolResult>): Promise<ToolResult> => {
  try {
    return await work()
  } catch (error) {
    const isShown = error instanceof Refusal || (error instanceof Fault && error.kind === 'forbidden')
    if (isShown) return refused(error.message)
    throw error
  }
}
