/**
 * The registry of tools: lists them by scope, checks arguments against the schema, and runs them with their
 * services.
 */
import type { AttachServices, RequestContext, HandlerOutput } from '../request-context.js'
import { allows, type Scope } from '../../lib/principal.js'
import { lazyValidator, validator, type Validation } from '../../lib/schema/validator.js'
import { paramHeaders, requireValidParamHeaders, type ParamHeader } from './param-headers.js'
import { isForModel, toolViewMeta } from '../views/view.js'
import type { Tool, ToolResult } from './tool.js'

/** A tool as `tools/list` shows it. */
export interface ToolDefinition {
  name: string
  title?: string
  description: string
  inputSchema: object
  outputSchema?: object
  annotations?: object
  _meta?: object
}

export interface BoundTool {
  /** The smallest scope that may call it. */
  scope: Scope
  paramHeaders: readonly ParamHeader[]
  definition: ToolDefinition
  /** Fills in defaults, and says in sentences what is wrong. */
  check (input: unknown): Validation<unknown>
  run (input: unknown, context: RequestContext): HandlerOutput<ToolResult>
}

export interface ToolRegistry {
  names: readonly string[]
  /** Whether every scope sees the same list. */
  sameForAll: boolean
  /** Whether any tool has a view. */
  hasViews: boolean
  /** `views`: for a client that shows views. */
  list (scope: Scope, views?: boolean): readonly ToolDefinition[]
  get (name: string): BoundTool | undefined
  /** The arguments of a tool that headers mirror; none for an unknown tool. */
  paramHeadersOf (name: unknown): readonly ParamHeader[]
}

export interface ToolRegistryOptions {
  /** Whether every scope sees every tool, also those that it may not call. */
  listsAll?: boolean | undefined
  /** Whether input schemas are checked now; otherwise each is compiled when its tool is first called. */
  checkToolSchemas?: boolean | undefined
}

/**
 * Creates the registry. Each tool gets its services with its context.
 * @throws {Error} when the input schema of a tool is invalid, or its annotations of mirrored parameters
 */
export const toolRegistry = <Services extends object>(
  tools: ReadonlyArray<Tool<never, Services>>, attachServices: AttachServices<Services>,
  { listsAll = false, checkToolSchemas = true }: ToolRegistryOptions = {}
): ToolRegistry => {
  const compile = checkToolSchemas ? validator : lazyValidator
  const byName = new Map(tools.map((tool) => [tool.name, bind(tool, attachServices, compile)]))
  const listsOf = (
    shown: ReadonlyArray<Tool<never, Services>>, define: (tool: Tool<never, Services>) => ToolDefinition
  ): Record<Scope, ToolDefinition[]> => {
    const listFor = (scope: Scope) => shown.filter((tool) => listsAll || allows(scope, scopeOf(tool))).map(define)
    return { read: listFor('read'), read_write: listFor('read_write'), admin: listFor('admin') }
  }
  const lists = listsOf(tools.filter(({ view }) => isForModel(view)), definitionOf)
  const listsWithViews = listsOf(tools, withView)
  return {
    names: tools.map(({ name }) => name),
    sameForAll: lists.read.length === lists.admin.length,
    hasViews: tools.some(({ view }) => view !== undefined),
    list: (scope, views = false) => (views ? listsWithViews : lists)[scope],
    get: (name) => byName.get(name),
    paramHeadersOf: (name) => typeof name === 'string' ? byName.get(name)?.paramHeaders ?? [] : []
  }
}

const scopeOf = ({ scope = 'read' }: Pick<Tool, 'scope'>): Scope => scope

const bind = <Services extends object>(
  tool: Tool<never, Services>, attachServices: AttachServices<Services>, compile: typeof validator
): BoundTool => {
  requireValidParamHeaders(tool.name, tool.input)
  return {
    scope: scopeOf(tool),
    definition: definitionOf(tool),
    paramHeaders: paramHeaders(tool.input),
    check: compile(tool.input),
    run: (input, context) => tool.run(input as never, attachServices(context))
  }
}

const definitionOf = <Services>(
  { name, title, description, input, output, annotations, _meta }: Tool<never, Services>
): ToolDefinition => ({
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: input,
    ...(output && { outputSchema: output }),
    ...(annotations && { annotations }),
    ...(_meta && { _meta })
  })

const withView = <Services>(tool: Tool<never, Services>): ToolDefinition => {
  const definition = definitionOf(tool)
  return tool.view ? { ...definition, _meta: { ...definition._meta, ...toolViewMeta(tool.view) } } : definition
}
