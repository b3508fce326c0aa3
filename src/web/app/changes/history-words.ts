/** A row of the history in words: what was done, and the texts that it changed. */
import type { Answer } from '../api/call.js'
import { sentenceCase } from '../lib/words.js'
import { plainText } from '../plan/plain-text.js'

export type HistoryRow = Answer<'GET /explorations/:id/history'>['history'][number]

type Fields = Readonly<Record<string, unknown>>

const word = (value: unknown): string => plainText(String(value).replaceAll('_', ' '))

/** What was done, to follow who did it: `set the item “Refund by card” from to do to done`. */
export const whatOf = (row: HistoryRow, titles: ReadonlyMap<string, string>): string => {
  const { target: { kind, id }, before, after, undoes } = row
  const [old, now]: [Fields, Fields] = [before ?? {}, after ?? {}]
  const titled = (of: unknown): string =>
    `“${plainText(String(titles.get(String(of)) ?? now['title'] ?? old['title'] ?? of))}”`
  const [first, ...more] = (now['changes'] ?? []) as Fields[]
  const about = first?.['item_id'] ?? first?.['title'] ?? first?.['artifact_type']
  const proposed = first &&
    `: ${word(first['kind'])}${about ? ` ${titled(about)}` : ''}${more.length > 0 ? `, and ${more.length} more` : ''}`
  const noun = kind === 'dependency'
    ? `the dependency of ${id.split(/ [→↔] /).map(titled).join(' on ')}`
    : /^(?:item|gate|recommendation)$/.test(kind)
      ? `the ${kind} ${titled(id)}`
      : kind === 'package'
        ? `the ${word(id)} package`
        : kind === 'exploration' ? 'the exploration' : `a ${kind}${proposed ?? ''}`
  const done = (): string => {
    if (kind === 'import') return 'imported the exploration'
    if (kind === 'lease') {
      const [had, has] = [claimIn(old['lease']), claimIn(now['lease'])]
      const verb = has === undefined ? 'no longer holds' : has === had ? 'renewed the claim of' : 'claimed'
      return `${verb} the item ${titled(id)}`
    }
    if (before === null) return `${kind === 'question' ? 'asked' : kind === 'proposal' ? 'made' : 'added'} ${noun}`
    if (after === null) return `removed ${noun}`
    if ('state' in now) return now['state'] === 'superseded' ? `overtook ${noun}` : `${word(now['state'])} ${noun}`
    if (now['finished']) return `reported ${noun} as finished`
    if (kind === 'question' && now['status'] === 'answered') return `answered ${noun}`
    if ('status' in now) return `set ${noun} from ${word(old['status'])} to ${word(now['status'])}`
    if ('group_id' in now) return `moved ${noun} to ${titled(now['group_id'])}`
    if ('version' in now) return `wrote version ${word(now['version'])} of ${noun}`
    if ('hidden' in now) return `${now['hidden'] === true ? 'took back' : 'showed again'} ${noun}`
    return `${'order' in now ? 'moved' : 'edited'} ${noun}`
  }
  return `${undoes === undefined ? '' : 'undid a change: '}${done()}`
}

/** The id of a claim that holds. */
const claimIn = (lease: unknown): unknown => {
  const { id, lapsed } = (lease ?? {}) as Fields
  return lapsed === true ? undefined : id
}

const TEXTS = [
  'title', 'description', 'acceptance', 'question', 'answer', 'resolution', 'note', 'text', 'body', 'rationale',
  'reason', 'tags', 'summaries'
]

export const textsOf = ({ before, after }: HistoryRow): Array<[label: string, before: string, after: string]> =>
  TEXTS.flatMap((field): Array<[string, string, string]> => {
    const [old, now] = [textOf(before?.[field]), textOf(after?.[field])]
    // The sentence has the title of what was added.
    const isSaid = field === 'title' && (before === null || after === null)
    return old === now || isSaid ? [] : [[sentenceCase(field), old, now]]
  })

/** A text, a list of texts or criteria, or a record that has a text, as lines. */
export const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join('\n')
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  const { text, met } = value as Fields
  return `${met === undefined ? '' : met === true ? '✓ ' : '– '}${textOf(text)}`
}
