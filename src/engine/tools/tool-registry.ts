/**
 * The registry of tools: lists them by caller, checks arguments against the schema, and runs them with their
 * services.
 */
import type { Icon } from '../icon.js'
import type { AttachServices, RequestContext, HandlerOutput } from '../request-context.js'
import { lruSet } from '../../lib/lru.js'
import { allows, type Principal } from '../../lib/principal.js'
import { lazyValidator, validator } from '../../lib/schema/validator.js'
import { resultCheck, type CheckResult } from './check-result.js'
import { paramHeaders, requireValidParamHeaders, type ParamHeader } from './param-headers.js'
import { isForModel, toolViewMeta } from '../views/view.js'
import type { SchemaCheck, Tool, ToolAccess, ToolResult } from './tool.js'

/** A tool as `tools/list` shows it. */
export interface ToolDefinition {
  name: string
  title?: string
  description: string
  inputSchema: object
  outputSchema?: object
  annotations?: object
  icons?: readonly Icon[]
  _meta?: object
}

export interface BoundTool {
  /** What a caller needs; empty for a tool that every caller may call. */
  scope: string
  accessOf (principal: Principal): ToolAccess
  paramHeaders: readonly ParamHeader[]
  definition: ToolDefinition
  /** Fills in defaults, and says in sentences what is wrong. A promise where a schema library gives one. */
  check: SchemaCheck
  /** Undefined where results are not checked. */
  checkResult: CheckResult | undefined
  run (input: unknown, context: RequestContext): HandlerOutput<ToolResult>
}

/** What some callers are shown. */
export interface ToolList {
  tools: readonly ToolDefinition[]
  /** The same for a client that shows views. */
  toolsWithViews: readonly ToolDefinition[]
  /** Whether every caller is shown it, but for tools that tell callers apart by `access`. */
  isCommon: boolean
}

export interface ToolRegistry {
  names: readonly string[]
  /** Whether any tool has a view. */
  hasViews: boolean
  /** What the caller is shown: the same object for all that are shown the same. */
  listFor (principal: Principal): ToolList
  get (name: string): BoundTool | undefined
  /** The arguments of a tool that headers mirror; none for an unknown tool. */
  paramHeadersOf (name: unknown): readonly ParamHeader[]
}

export interface ToolRegistryOptions {
  /** Whether every scope sees every tool, also those that it may not call. */
  listsAll?: boolean | undefined
  /** Whether input schemas are checked now; otherwise each is compiled when its tool is first called. */
  checkToolSchemas?: boolean | undefined
  /** Whether results are checked against the output schemas. */
  checkToolResults?: boolean | undefined
  /** The tools of earlier registries, which are not prepared again. */
  bound?: WeakMap<object, BoundTool> | undefined
}

/**
 * Creates the registry. Each tool gets its services with its context.
 * @throws {Error} when the input schema of a tool is invalid, or its annotations of mirrored parameters
 */
export const toolRegistry = <Services extends object>(
  tools: ReadonlyArray<Tool<never, Services>>, attachServices: AttachServices<Services>,
  { listsAll = false, checkToolSchemas = true, checkToolResults = true, bound }: ToolRegistryOptions = {}
): ToolRegistry => {
  const compile = checkToolSchemas ? validator : lazyValidator
  const prepare = (tool: Tool<never, Services>): BoundTool => {
    const checkResult = checkToolResults ? resultCheck(tool, compile) : undefined
    const prepared = { ...bind(tool, attachServices, compile), checkResult }
    bound?.set(tool, prepared)
    return prepared
  }
  const byName = new Map(tools.map((tool) => [tool.name, bound?.get(tool) ?? prepare(tool)]))
  const restricted = tools.filter(({ access }) => access !== undefined)
  const open = tools.filter(({ access }) => access === undefined)
  const shownFor = (scope: string, of: typeof tools) => of.filter((tool) => listsAll || allows(scope, scopeOf(tool)))
  const sameForScopes = shownFor('read', open).length === open.length
  const lists = new Map<string, ToolList>()
  return {
    names: tools.map(({ name }) => name),
    hasViews: tools.some(({ view }) => view !== undefined),
    listFor (principal) {
      const { scope } = principal.credential
      const granted = restricted.filter((tool) => accessOf(tool, principal) === 'granted')
      const key = [scope, ...granted.map(({ name }) => name)].join(' ')
      let list = lists.get(key)
      if (!list) {
        const shown = shownFor(scope, tools.filter((tool) => open.includes(tool) || granted.includes(tool)))
        list = {
          tools: shown.filter(({ view }) => isForModel(view)).map(definitionOf),
          toolsWithViews: shown.map(withView),
          isCommon: sameForScopes && shown.length === open.length && shown.every((tool) => open.includes(tool))
        }
        lruSet(lists, key, list, MAX_LISTS)
      }
      return list
    },
    get: (name) => byName.get(name),
    paramHeadersOf: (name) => typeof name === 'string' ? byName.get(name)?.paramHeaders ?? [] : []
  }
}

const accessOf = <Services>(tool: Tool<never, Services>, principal: Principal): ToolAccess =>
  tool.access?.(principal) ?? 'granted'

const scopeOf = ({ scope = '' }: Pick<Tool, 'scope'>): string => scope

/** Scopes are texts of the server, and there may be many of them. */
const MAX_LISTS = 1000

const bind = <Services extends object>(
  tool: Tool<never, Services>, attachServices: AttachServices<Services>, compile: typeof validator
): Omit<BoundTool, 'checkResult'> => {
  // 2026-07-28 server/tools#tool: arguments are an object. A schema library may describe anything.
  if (tool.input.type !== 'object') throw new Error(`The input schema of the tool "${tool.name}" is not of an object.`)
  requireValidParamHeaders(tool.name, tool.input)
  return {
    scope: scopeOf(tool),
    accessOf: (principal) => accessOf(tool, principal),
    definition: definitionOf(tool),
    paramHeaders: paramHeaders(tool.input),
    check: tool.checks?.input ?? compile(tool.input),
    run: (input, context) => tool.run(input as never, attachServices(context))
  }
}

const definitionOf = <Services>(
  { name, title, description, input, output, annotations, icons, _meta }: Tool<never, Services>
): ToolDefinition => ({
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: input,
    ...(output && { outputSchema: output }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(_meta && { _meta })
  })

const withView = <Services>(tool: Tool<never, Services>): ToolDefinition => {
  const definition = definitionOf(tool)
  return tool.view ? { ...definition, _meta: { ...definition._meta, ...toolViewMeta(tool.view) } } : definition
}
