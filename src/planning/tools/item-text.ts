/** What texts say of an item: acceptance to everyone; revision, claim, evidence and notes to those who write. */
import { isObject } from '../../lib/json/json-object.js'
import { blockquote, quoteId, quoteText } from './escape-text.js'
import type { PlanPageItem } from './plan-page.js'

/** One line about the item of an answer, such as `i3 "Move the cache", in_progress, revision 4, held by "ci" of …`. */
export const itemLine = (item: unknown): string => {
  if (!isObject(item)) return ''
  const { id, title, status, ...work }: Partial<PlanPageItem> = item
  return `${quoteId(String(id))} ${quoteText(String(title))}, ${String(status)}${workText(work)}`
}

/** The item of a claim, with what is to be done. */
export const claimedItem = (item: unknown): string => isObject(item) && item['description']
  ? `${itemLine(item)}\n${blockquote(String(item['description']), '  ')}`
  : itemLine(item)

/** Who changed it: begins with a space, or is empty. */
export const byText = (by: unknown): string => isObject(by)
  ? ` by ${[by['credential'], by['user']].filter((name) => typeof name === 'string').map(quoteText).join(' of ')}`
  : ''

/** Who works on it: begins with a comma, or is empty. */
export const workText = ({ revision, claimed_by: by, finished }: Partial<PlanPageItem>): string => [
  ...(revision === undefined ? [] : [`revision ${revision}`]),
  ...(by ? [`held by ${quoteText(by.credential)} of ${quoteText(by.user)} until ${by.until}`] : []),
  ...(finished ? [`finished: waits for a person (proposal ${finished.proposal_id})`] : [])
].map((part) => `, ${part}`).join('')

/** The criteria of acceptance and where the item comes from. */
export const criteriaLines = ({ acceptance = [], repository, source }: PlanPageItem): string[] => [
  ...acceptance.map(({ text, met }) => `  [${met ? 'x' : ' '}] ${quoteText(text)}`),
  ...(repository === undefined ? [] : [`  repository ${quoteText(repository)}`]),
  ...(source ? [`  from ${quoteText(source.line === undefined ? source.path : `${source.path}:${source.line}`)}`] : [])
]

/** What was written about it. No one has checked the evidence. */
export const writtenLines = ({ evidence = [], notes = [] }: PlanPageItem): string[] => [
  ...evidence.map(({ kind, ref, summary }) =>
    `  evidence, not checked: ${kind} ${quoteText(ref)}${summary === undefined ? '' : ` ${quoteText(summary)}`}`),
  ...notes.map(({ text, by, at }) => `  note of ${quoteText(by)}, ${at}: ${quoteText(text)}`)
]
