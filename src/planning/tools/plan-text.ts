/** One page of a plan as text: items under their groups, each with what it waits for; then gates, conflicts, references. */
import type { PlanPage } from './plan-page.js'
import { block, name, quoted } from './escape-text.js'

type Page = Omit<PlanPage, 'next'> & {
  exploration_id: string
  version: number
  compilation_state: string
  updated_at: string
  warning?: string
  next_cursor?: string
}

export const planText = (page: Page, start: number): string => [
  `Plan of exploration ${page.exploration_id}: version ${page.version}, ${page.compilation_state}, updated ${page.updated_at} ` +
    '(what stands in quotes or after > is the team\'s text)',
  ...(page.warning === undefined ? [] : [page.warning]),
  page.items.length === 0 ? 'No items.' : `Items ${start + 1} to ${start + page.items.length} of ${page.total_items}, in order`,
  ...page.groups.map((group) => groupText(group, page)),
  ...section('Conflicts', page.conflicts.map((conflict) =>
    `- ${name(conflict.id)}, ${conflict.severity}, ${conflict.status}, items ${conflict.item_ids.map(name).join(', ') || 'none'}\n` +
    block(conflict.description, '  ') + (conflict.resolution === undefined ? '' : `\n  Resolution:\n${block(conflict.resolution, '  ')}`))),
  ...section('Items elsewhere in the plan that are referred to here', page.referenced_items.map((item) =>
    `- ${name(item.id)} ${quoted(item.title)}, ${item.status}, group ${name(item.group_id)}`)),
  ...(page.next_cursor === undefined ? [] : [`More: cursor ${page.next_cursor}`])
].join('\n')

const groupText = (group: Page['groups'][number], page: Page): string => [
  `\nGroup ${name(group.id)} ${quoted(group.title)} (order ${group.order})`,
  ...page.items.filter(({ group_id: id }) => id === group.id).map((item) => [
    `- ${name(item.id)} ${quoted(item.title)}, ${item.status} (order ${item.order})`,
    ...waits('waits for', 'blocks', item.id, page),
    ...waits('relates to', 'relates', item.id, page),
    ...(item.description ? [block(item.description, '  ')] : [])
  ].join('\n')),
  ...page.gates.filter(({ after_group_id: id }) => id === group.id).map((gate) =>
    [`Gate ${name(gate.id)} ${quoted(gate.title)} after this group, ${gate.status}${gate.criteria.length > 0 ? ', criteria:' : ''}`,
      ...gate.criteria.map((criterion) => `  - ${quoted(criterion)}`)].join('\n'))
].join('\n')

const waits = (words: string, kind: 'blocks' | 'relates', item: string, { dependencies }: Page): string[] => {
  const others = dependencies.filter((dependency) => dependency.item_id === item && dependency.kind === kind)
  return others.length === 0 ? [] : [`  ${words} ${others.map(({ depends_on: id }) => name(id)).join(', ')}`]
}

const section = (title: string, lines: string[]): string[] => lines.length === 0 ? [] : [`\n${title}:`, ...lines]
