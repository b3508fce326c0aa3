/** Lists the workspaces that the credential can see. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/list_workspaces.input.json' with { type: 'json' }
import output from '#schemas/tools/list_workspaces.output.json' with { type: 'json' }
import { pluralize } from '../../lib/text/text.js'
import { quoteText } from './escape-text.js'
import { READING, type PlanningTool } from './planning-tool.js'
import { result } from '../../engine/tools/tool.js'

const NONE = 'This credential can see no workspace. ' +
  'Ask an admin of a workspace for a membership, or use a key that is not limited to other workspaces.'

export const listWorkspaces: PlanningTool<FromSchema<typeof input>> = {
  name: 'list_workspaces',
  title: 'List workspaces',
  description: 'Lists the workspaces you can see, with ids for find_explorations. Start here if you know nothing yet.',
  ...READING,
  input,
  output,
  async run ({ limit, cursor }, { store, principal, signal }) {
    const page = await store.workspaces.list(principal.workspaces, { limit, cursor, signal })
    const lines = page.items.map((workspace) =>
      `- ${quoteText(workspace.name)} (slug ${workspace.slug}, id ${workspace.id}), ` +
      `${pluralize(workspace.exploration_count, 'exploration')}, since ${workspace.created_at}` +
      (workspace.description ? `: ${quoteText(workspace.description)}` : ''))
    const next = page.next_cursor !== undefined && { next_cursor: page.next_cursor }
    const head = principal.workspaces.length === 0
      ? NONE
      : `${pluralize(page.items.length, 'workspace')}${next ? ' on this page' : ''}:`
    const more = next ? [`More: cursor ${next.next_cursor}`] : []
    return result({ workspaces: page.items, ...next }, [head, ...lines, ...more].join('\n'))
  }
}
