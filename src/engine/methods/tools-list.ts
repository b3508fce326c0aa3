/** Lists the tools that are shown to the caller's credential, always in the same order. */
import { weakMemo } from '../../lib/weak-memo.js'
import { supports } from '../revisions.js'
import type { ToolDefinition, ToolList } from '../tools/tool-registry.js'
import { acceptsViews } from '../views/view.js'
import { requireOnePage } from './older-revisions.js'
import type { Method, MethodResult } from './method.js'

const FIVE_MINUTES = 300_000

export const listTools: Method = async ({ cursor }, context, { tools, showEntries }) => {
  requireOnePage(cursor, 'tools')
  const { principal, revision, client } = context
  const views = tools.hasViews && acceptsViews(client.capabilities)
  const list = tools.listFor(principal)
  const listed = () => (views ? list.toolsWithViews : list.tools).map((tool) => shaped(tool, revision, views))
  if (showEntries) {
    const shown = await showEntries('tools/list', listed(), ({ name }) => name, context)
    return { result: { tools: shown }, cache: { ttlMs: FIVE_MINUTES, scope: 'private' } }
  }
  return memo(list, `${revision}${views ? ' views' : ''}`, () => ({
    result: { tools: listed() },
    // What a cache shares is the list for clients without views.
    cache: { ttlMs: FIVE_MINUTES, scope: list.isCommon && !views ? 'public' : 'private' },
    constant: true
  }))
}

const memo = weakMemo<ToolList, MethodResult>()

/** Before 2026-07-28 results are objects: 2025-11-25 server/tools#output-schema */
const withObjectOutput = (tool: ToolDefinition): ToolDefinition => {
  const { outputSchema, ...rest } = tool
  return outputSchema === undefined || ('type' in outputSchema && outputSchema.type === 'object') ? tool : rest
}

/** Leaves out the fields that the caller's revision does not have. Who declares views knows `_meta` in any revision. */
const shaped = (tool: ToolDefinition, revision: string, views: boolean): ToolDefinition => {
  if (supports(revision, 'anyStructuredOutput')) return tool
  if (supports(revision, 'icons')) return withObjectOutput(tool)
  const { icons, ...older } = tool
  if (supports(revision, 'structuredOutput')) return withObjectOutput(older)
  const { title, outputSchema, annotations, _meta, ...known } = older
  const rest = { ...known, ...(views && _meta && { _meta }) }
  if (!supports(revision, 'toolAnnotations')) return rest
  return { ...rest, annotations: { ...annotations, ...(title !== undefined && { title }) } }
}
