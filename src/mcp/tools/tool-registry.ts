/** The tools as the protocol sees them: listed by scope, checked by schema, bound to what they work with. */
import { withServices, type Call, type Work } from '../request-context.js'
import { allows, type Scope } from '../../lib/principal.js'
import { validator, type Validation } from '../../lib/schema/validator.js'
import { mirroredParameters, type MirroredParameter } from './param-headers.js'
import type { Tool, ToolResult } from './tool.js'

/** A tool as `tools/list` shows it. */
export interface ToolDefinition {
  name: string
  title: string
  description: string
  inputSchema: object
  outputSchema?: object
  annotations?: object
}

export interface BoundTool {
  mirrored: readonly MirroredParameter[]
  definition: ToolDefinition
  /** Fills in defaults and says in sentences what is wrong. */
  check (input: unknown): Validation<unknown>
  run (input: unknown, call: Call): Work<ToolResult>
}

export interface Toolbox {
  names: readonly string[]
  /** Whether every scope sees the same list. */
  sameForAll: boolean
  list (scope: Scope): readonly ToolDefinition[]
  get (name: string, scope: Scope): BoundTool | undefined
  /** The arguments of a tool that headers mirror; none for a tool that does not exist. */
  mirrored (name: unknown): readonly MirroredParameter[]
}

export const toolbox = <Services extends object>(tools: ReadonlyArray<Tool<never, Services>>, services: Services): Toolbox => {
  const bound = new Map(tools.map((tool) => [tool.name, { tool, ...bind(tool, services) }]))
  const listFor = (scope: Scope) => tools.filter((tool) => allows(scope, tool.scope)).map(definitionOf)
  const lists: Record<Scope, ToolDefinition[]> = { read: listFor('read'), read_write: listFor('read_write'), admin: listFor('admin') }
  return {
    names: tools.map(({ name }) => name),
    sameForAll: lists.read.length === tools.length,
    list: (scope) => lists[scope],
    get (name, scope) {
      const found = bound.get(name)
      return found && allows(scope, found.tool.scope) ? found : undefined
    },
    mirrored: (name) => typeof name === 'string' ? bound.get(name)?.mirrored ?? [] : []
  }
}

const bind = <Services extends object>(tool: Tool<never, Services>, services: Services): BoundTool => ({
  definition: definitionOf(tool),
  mirrored: mirroredParameters(tool.input),
  check: validator(tool.input),
  run: (input, call) => tool.run(input as never, withServices(call, services))
})

const definitionOf = <Services>({ name, title, description, input, output, annotations }: Tool<never, Services>): ToolDefinition => ({
  name,
  title,
  description,
  inputSchema: input,
  ...(output && { outputSchema: output }),
  ...(annotations && { annotations })
})
