/** Writes one page of a plan as text; revision, claim, evidence and notes are there for those who write. */
import { isObject } from '../../lib/json/json-object.js'
import type { PlanState } from '../store.js'
import type { PlanPage, PlanPageItem } from './plan-page.js'
import { blockquote, ESCAPE_NOTE, quoteId, quoteText } from './escape-text.js'

type PlanTextPage = Omit<PlanPage, 'next'> & Omit<PlanState, 'counts'> & { warning?: string, next_cursor?: string }

/** Returns the text of a page; `start` is the index of its first item. */
export const planText = (page: PlanTextPage, start: number): string => [
  `Plan of exploration ${page.exploration_id}: version ${page.version}, ${page.compilation_state}, updated ` +
    `${page.updated_at} ${ESCAPE_NOTE}`,
  ...(page.warning === undefined ? [] : [page.warning]),
  page.items.length === 0
    ? 'No items.'
    : `Items ${start + 1} to ${start + page.items.length} of ` +
    `${page.total_items}, in order`,
  ...page.groups.map((group) => groupText(group, page)),
  ...section('Conflicts', page.conflicts.map((conflict) =>
    `- ${quoteId(conflict.id)}, ${conflict.severity}, ${conflict.status}, items ` +
      `${conflict.item_ids.map(quoteId).join(', ') || 'none'}\n` +
    blockquote(conflict.description, '  ') +
    (conflict.resolution === undefined ? '' : `\n  Resolution:\n${blockquote(conflict.resolution, '  ')}`))),
  ...section('Items elsewhere in the plan that are referred to here', page.referenced_items.map((item) =>
    `- ${quoteId(item.id)} ${quoteText(item.title)}, ${item.status}, group ${quoteId(item.group_id)}`)),
  ...(page.next_cursor === undefined ? [] : [`More: cursor ${page.next_cursor}`])
].join('\n')

const groupText = (group: PlanTextPage['groups'][number], page: PlanTextPage): string => [
  `\nGroup ${quoteId(group.id)} ${quoteText(group.title)} (order ${group.order})`,
  ...page.items.filter(({ group_id: id }) => id === group.id).map((item) => [
    `- ${quoteId(item.id)} ${quoteText(item.title)}, ${item.status}${item.ready ? ', can start now' : ''}` +
      `${item.blocks === undefined ? '' : `, blocks ${item.blocks}`}${workText(item)} (order ${item.order})`,
    ...waits('waits for', 'blocks', item.id, page),
    ...waits('relates to', 'relates', item.id, page),
    ...(item.description ? [blockquote(item.description, '  ')] : []),
    ...criteriaLines(item),
    ...writtenLines(item)
  ].join('\n')),
  ...page.gates.filter(({ after_group_id: id }) => id === group.id).map((gate) => [
    `Gate ${quoteId(gate.id)} ${quoteText(gate.title)} after this group, ${gate.status}` +
      (gate.criteria.length > 0 ? ', criteria:' : ''),
    ...gate.criteria.map((criterion) => `  - ${quoteText(criterion)}`)
  ].join('\n'))
].join('\n')

const waits = (words: string, kind: 'blocks' | 'relates', item: string, { dependencies }: PlanTextPage): string[] => {
  const others = dependencies.filter((dependency) => dependency.item_id === item && dependency.kind === kind)
  return others.length === 0 ? [] : [`  ${words} ${others.map(({ depends_on: id }) => quoteId(id)).join(', ')}`]
}

const section = (title: string, lines: string[]): string[] => lines.length === 0 ? [] : [`\n${title}:`, ...lines]

/** One line about the item of an answer, such as `i3 "Move the cache", in_progress, revision 4, held by "ci" of …`. */
export const itemLine = (item: unknown): string => {
  if (!isObject(item)) return ''
  const { id, title, status, ...work }: Partial<PlanPageItem> = item
  return `${quoteId(String(id))} ${quoteText(String(title))}, ${String(status)}${workText(work)}`
}

export const claimedItem = (item: unknown): string => isObject(item) && item['description']
  ? `${itemLine(item)}\n${blockquote(String(item['description']), '  ')}`
  : itemLine(item)

/** Who changed it: begins with a space, or is empty. */
export const byText = (by: unknown): string => isObject(by)
  ? ` by ${[by['credential'], by['user']].filter((name) => typeof name === 'string').map(quoteText).join(' of ')}`
  : ''

/** Who works on it: begins with a comma, or is empty. */
const workText = ({ revision, claimed_by: by, finished }: Partial<PlanPageItem>): string => [
  ...(revision === undefined ? [] : [`revision ${revision}`]),
  ...(by ? [`held by ${quoteText(by.credential)} of ${quoteText(by.user)} until ${by.until}`] : []),
  ...(finished ? [`finished: waits for a person (proposal ${finished.proposal_id})`] : [])
].map((part) => `, ${part}`).join('')

const criteriaLines = ({ acceptance = [], repository, source }: PlanPageItem): string[] => [
  ...acceptance.map(({ text, met }) => `  [${met ? 'x' : ' '}] ${quoteText(text)}`),
  ...(repository === undefined ? [] : [`  repository ${quoteText(repository)}`]),
  ...(source ? [`  from ${quoteText(source.line === undefined ? source.path : `${source.path}:${source.line}`)}`] : [])
]

/** What was written about it. No one has checked the evidence. */
const writtenLines = ({ evidence = [], notes = [] }: PlanPageItem): string[] => [
  ...evidence.map(({ kind, ref, summary }) =>
    `  evidence, not checked: ${kind} ${quoteText(ref)}${summary === undefined ? '' : ` ${quoteText(summary)}`}`),
  ...notes.map(({ text, by, at }) => `  note of ${quoteText(by)}, ${at}: ${quoteText(text)}`)
]
