/** The registry of tools: lists them by caller, checks arguments against the schema, and runs them. */
import type { Icon } from '../icon.js'
import type { AttachServices, RequestContext, HandlerOutput } from '../request-context.js'
import { pick } from '../../lib/json/json-object.js'
import { lruSet } from '../../lib/lru.js'
import { allows, type Principal } from '../../lib/principal.js'
import { lazyValidator, validator, type Validation } from '../../lib/schema/validator.js'
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

/** Returns the result as it is sent. Throws or rejects with an error of the program when it does not fit. */
type CheckResult = (result: ToolResult) => ToolResult | Promise<ToolResult>

export interface BoundTool {
  scope: string
  accessOf (principal: Principal): ToolAccess
  paramHeaders: readonly ParamHeader[]
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

interface ToolRegistryOptions {
  /** Whether every scope sees every tool, also those that it may not call. */
  listsAll?: boolean | undefined
  checkToolSchemas?: boolean | undefined
  checkToolResults?: boolean | undefined
  /** The tools of earlier registries, which are not prepared again. */
  bound?: WeakMap<object, BoundTool>
}

export type ToolRegistry = ReturnType<typeof toolRegistry>

/** Scopes are texts of the server, and there may be many of them. */
const MAX_LISTS = 1000

/** @throws {Error} when the input schema of a tool is invalid, or its annotations of mirrored parameters */
export const toolRegistry = <Services extends object>(
  tools: ReadonlyArray<Tool<never, Services>>, attachServices: AttachServices<Services>,
  { listsAll, checkToolSchemas = true, checkToolResults = true, bound = new WeakMap() }: ToolRegistryOptions = {}
) => {
  const compile = checkToolSchemas ? validator : lazyValidator
  const prepare = (tool: Tool<never, Services>): BoundTool => {
    // 2026-07-28 server/tools#tool: arguments are an object. A schema library may describe anything.
    const { name, input } = tool
    if (input.type !== 'object') throw new Error(`The input schema of the tool "${name}" is not of an object.`)
    requireValidParamHeaders(tool.name, tool.input)
    const prepared: BoundTool = {
      scope: scopeOf(tool),
      accessOf: (principal) => accessOf(tool, principal),
      paramHeaders: paramHeaders(tool.input),
      check: tool.checks?.input ?? compile(tool.input),
      checkResult: checkToolResults ? resultCheck(tool, compile) : undefined,
      run: (input, context) => tool.run(input as never, attachServices(context))
    }
    bound.set(tool, prepared)
    return prepared
  }
  const byName = new Map(tools.map((tool) => [tool.name, bound.get(tool) ?? prepare(tool)]))
  const isListedFor = (scope: string) => (tool: Tool<never, Services>) => listsAll || allows(scope, scopeOf(tool))
  const open = tools.filter(({ access }) => access === undefined)
  const sameForScopes = open.every(isListedFor('read'))
  const lists = new Map<string, ToolList>()
  return {
    names: tools.map(({ name }) => name),
    hasViews: tools.some(({ view }) => view !== undefined),
    /** What the caller is shown: the same object for all that are shown the same. */
    listFor (principal: Principal): ToolList {
      const shown = tools.filter(isListedFor(principal.credential.scope))
        .filter((tool) => accessOf(tool, principal) === 'granted')
      const key = shown.map(({ name }) => name).join(' ')
      return lists.get(key) ?? lruSet(lists, key, {
        tools: shown.filter(({ view }) => isForModel(view)).map(definitionOf),
        toolsWithViews: shown.map(withView),
        isCommon: sameForScopes && shown.length === open.length && shown.every((tool) => open.includes(tool))
      }, MAX_LISTS)
    },
    get: (name: string): BoundTool | undefined => byName.get(name),
    paramHeadersOf: (name: unknown): readonly ParamHeader[] => byName.get(String(name))?.paramHeaders ?? []
  }
}

const accessOf = <Services>(tool: Tool<never, Services>, principal: Principal): ToolAccess =>
  tool.access?.(principal) ?? 'granted'

const scopeOf = ({ scope = '' }: Pick<Tool, 'scope'>): string => scope

const definitionOf = <Services>(tool: Tool<never, Services>): ToolDefinition => {
  const { input, output } = tool
  return {
    ...pick(tool, 'name', 'title', 'description'),
    inputSchema: input,
    ...output && { outputSchema: output },
    ...pick(tool, 'annotations', 'icons', '_meta')
  }
}

const withView = <Services>(tool: Tool<never, Services>): ToolDefinition => {
  const definition = definitionOf(tool)
  return tool.view ? { ...definition, _meta: { ...definition._meta, ...toolViewMeta(tool.view) } } : definition
}

/** 2026-07-28 server/tools#output-schema: servers MUST provide results that conform. */
const resultCheck = (
  { name, output, checks }: Pick<Tool, 'name' | 'output' | 'checks'>, compile: typeof validator
): CheckResult | undefined => {
  if (!output) return undefined
  const isLibrarys = checks?.output !== undefined
  const check = checks?.output ?? compile(output, 'unchanged')
  /** Results that are the same object each time. */
  const checked = new WeakSet<ToolResult>()

  const conforming = (result: ToolResult, outcome: Validation<unknown>): ToolResult => {
    if (!outcome.ok) {
      throw new Error(`The result of the tool ${name} does not fit its output schema: ${outcome.faults.join('. ')}.`)
    }
    if (isLibrarys) return { ...result, structuredContent: outcome.value }
    if (result.constant) checked.add(result)
    return result
  }

  return (result) => {
    if (result.isError || checked.has(result)) return result
    const outcome = check(result.structuredContent)
    return outcome instanceof Promise
      ? outcome.then((settled) => conforming(result, settled))
      : conforming(result, outcome)
  }
}
