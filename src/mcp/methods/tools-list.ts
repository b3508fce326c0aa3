/** Lists the tools that the caller's credential may call, always in the same order. */
import { Fault } from '../../lib/errors.js'
import { weakMemo } from '../../lib/weak-memo.js'
import { supports } from '../revisions.js'
import type { ToolDefinition, ToolRegistry } from '../tools/tool-registry.js'
import type { Method, MethodResult } from './method.js'

const FIVE_MINUTES = 300_000

/**
 * Returns all tools on one page. The result is cached per scope and revision.
 * @throws {Fault} `invalid_params` for a cursor
 */
export const listTools: Method = async (params, { principal, revision }, { tools }) => {
  if (params['cursor'] !== undefined) {
    throw new Fault('invalid_params', 'The list of tools has one page: leave the cursor out.')
  }
  const { scope } = principal.credential
  return memo(tools, `${scope} ${revision}`, () => ({
    result: { tools: tools.list(scope).map((tool) => shaped(tool, revision)) },
    cache: { ttlMs: FIVE_MINUTES, scope: tools.sameForAll ? 'public' : 'private' },
    constant: true
  }))
}

const memo = weakMemo<ToolRegistry, MethodResult>()

/** Leaves out the fields that the caller's revision does not have. */
const shaped = (tool: ToolDefinition, revision: string): Partial<ToolDefinition> => {
  if (supports(revision, 'structuredOutput')) return tool
  const { title, outputSchema, annotations, _meta, ...rest } = tool
  if (!supports(revision, 'toolAnnotations')) return rest
  return { ...rest, annotations: { ...annotations, ...(title !== undefined && { title }) } }
}
