/** Finds explorations by words or meaning, in all visible workspaces or in one of them. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/find_explorations.input.json' with { type: 'json' }
import output from '#schemas/tools/find_explorations.output.json' with { type: 'json' }
import { progress } from '../../engine/request-context.js'
import type { SearchHit } from '../store.js'
import { requireWorkspace } from './access.js'
import { pluralize } from '../../lib/text/text.js'
import { blockquote, quoteText } from './escape-text.js'
import { READING, type PlanningTool } from './planning-tool.js'
import { result } from '../../engine/tools/tool.js'

export const findExplorations: PlanningTool<FromSchema<typeof input>> = {
  name: 'find_explorations',
  title: 'Find explorations',
  description: 'Finds explorations (what a team thinks through before building it: problem, questions, requirements, ' +
    'plan) by words or meaning, best first, each with the passage that matched. ' +
    'Use an id from here with the get_ tools.',
  ...READING,
  input,
  output,
  async * run ({ query, workspace_id: workspace, status, limit, cursor }, context) {
    const visible = workspace === undefined ? context.principal.workspaces : [requireWorkspace(context, workspace)]
    yield progress(1, 3, `Searching ${pluralize(visible.length, 'workspace')}`)
    // PostgreSQL text cannot hold U+0000.
    const page = await context.store.search.find({
      query: query.replaceAll('\0', ' '),
      visible,
      status,
      limit,
      cursor,
      signal: context.signal
    })
    yield progress(2, 3, `Found ${pluralize(page.items.length, 'exploration')}`)
    const next = page.next_cursor !== undefined && { next_cursor: page.next_cursor }
    const head = page.items.length > 0
      ? `${pluralize(page.items.length, 'exploration')}${next ? ' on this page' : ''}, best first:`
      : nothing(visible.length, cursor !== undefined, workspace !== undefined || status !== undefined)
    const notice = page.notice !== undefined && { notice: page.notice }
    return result({ explorations: page.items, ...next, ...notice }, [
      ...(notice ? [notice.notice] : []),
      head,
      ...page.items.map(describe),
      ...(next ? [`More: cursor ${next.next_cursor}`] : [])
    ].join('\n'))
  }
}

const describe = (hit: SearchHit): string => [
  `- ${quoteText(hit.title)}, ${hit.status}, score ${Math.round(hit.score * 1000) / 1000}, id ${hit.id}`,
  `  workspace ${quoteText(hit.workspace.name)} (slug ${hit.workspace.slug}, id ${hit.workspace.id}), ` +
    `updated ${hit.updated_at}; packages: ${hit.artifact_types.join(', ') || 'none'}; ` +
    `plan: ${hit.has_plan ? 'yes' : 'no'}` +
    (hit.tags.length > 0 ? `; tags: ${hit.tags.map(quoteText).join(', ')}` : ''),
  ...(hit.snippet === '' ? [] : [blockquote(hit.snippet, '  ')])
].join('\n')

const nothing = (workspaces: number, later: boolean, filtered: boolean): string => {
  if (workspaces === 0) {
    return 'This credential can see no workspace, so there is nothing to find. ' +
      'Ask an admin of a workspace for a membership.'
  }
  if (later) return 'No further explorations.'
  return `No exploration fits. Try other or fewer words${filtered ? ', or leave out workspace_id and status' : ''}.`
}
