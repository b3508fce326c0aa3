/** Entries of the inbox in words. */
import type { Answer } from '../../api/call.js'
import type { BadgeTone } from '../../components/states.js'
import { sentenceCase } from '../../lib/words.js'
import { plainText } from '../../plan/plain-text.js'

export type Entry = Answer<'GET /inbox'>['items'][number]

interface KindWords { label: string, tone: BadgeTone, noun: string, action: string, done: string }

/** What each kind is called, its main action, and what a message says after it. */
export const KINDS: Record<Entry['kind'], KindWords> = {
  proposal: { label: 'Proposal', tone: 'accent', noun: 'proposal', action: 'Accept', done: 'Accepted' },
  finished: { label: 'Finished', tone: 'good', noun: 'finished item', action: 'Accept as done', done: 'Accepted' },
  question: { label: 'Question', tone: 'info', noun: 'open question', action: 'Answer', done: 'Answered' },
  gate: { label: 'Failed gate', tone: 'bad', noun: 'failed gate', action: 'Open again', done: 'Opened again' },
  lease: { label: 'Expired claim', tone: 'warn', noun: 'expired claim', action: 'Release', done: 'Released' }
}

/** Ids of gates and items are those of their plan, and a gate may fail again. */
export const keyOf = ({ kind, exploration, id, at }: Entry): string => `${kind} ${exploration.id} ${id} ${at}`

/** Whether it is accepted or dismissed by the decision alone, and waits for it. */
export const isProposal = ({ proposal }: Entry): boolean => proposal?.state === 'open'

/** What accepting a change does. */
export const effectOf = ({ effect }: { effect: string }): string => plainText(effect)

/** What an entry is about, on one line. */
export const titleOf = ({ kind, item, text, proposal }: Entry): string => {
  const [first, ...more] = kind === 'proposal' ? proposal?.changes ?? [] : []
  if (first) return `${effectOf(first)}${more.length === 0 ? '' : ` And ${more.length} more.`}`
  return plainText((kind === 'question' || kind === 'gate' ? text : item?.title) ?? '')
}

/** Members of a change that are texts for people. */
export const TEXTS =
  ['title', 'description', 'acceptance', 'resolution', 'replace', 'markdown', 'body', 'answer', 'note'] as const

export const labelOf = (field: typeof TEXTS[number]): string => field === 'replace' ? 'Text' : sentenceCase(field)
