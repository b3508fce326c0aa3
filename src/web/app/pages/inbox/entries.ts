/** Entries of the inbox in words; what is done about them: each decision is the ids of its rows in the history. */
import { call, type Answer, type Sent } from '../../api/call.js'
import { RequestError } from '../../api/problem.js'
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

export const effectOf = ({ effect }: { effect: string }): string => plainText(effect)

export const titleOf = ({ kind, item, text, proposal }: Entry): string => {
  const [first, ...more] = kind === 'proposal' ? proposal?.changes ?? [] : []
  if (first) return `${effectOf(first)}${more.length === 0 ? '' : ` And ${more.length} more.`}`
  return plainText((kind === 'question' || kind === 'gate' ? text : item?.title) ?? '')
}

/** Members of a change that are texts for people. */
export const TEXTS =
  ['title', 'description', 'acceptance', 'resolution', 'replace', 'markdown', 'body', 'answer', 'note'] as const

export const labelOf = (field: typeof TEXTS[number]): string => field === 'replace' ? 'Text' : sentenceCase(field)

export type Changes = NonNullable<Entry['proposal']>['changes']
export type Decision = readonly string[]
type Version = NonNullable<Sent<'POST /proposals/:id/acceptance'>>['changes']

const OPEN = { kind: 'set_gate', status: 'open' } as const

/** In the person's own `version` if there is one. @throws {RequestError} also for a proposal that no longer holds */
export const accept = async ({ kind, id, exploration }: Entry, version?: Changes): Promise<Decision> => {
  if (kind === 'gate' || kind === 'lease') {
    const { rows } = await call('POST /explorations/:id/changes', {
      params: { id: exploration.id },
      body: { changes: [kind === 'gate' ? { ...OPEN, gate_id: id } : { kind: 'release_item', item_id: id }] }
    })
    return rows.map((row) => row.id)
  }
  // The kinds and members are those of the proposal.
  const changes = version?.map(({ place, effect, ...change }) => change) as Version
  const { state, rows = [] } = await call('POST /proposals/:id/acceptance', {
    params: { id }, body: changes ? { changes } : null
  })
  if (state === 'accepted') return rows
  throw new RequestError('It has changed since this was proposed, so nothing was done.', 409)
}

export const dismiss = async ({ id }: Entry, reason: string): Promise<Decision> =>
  (await call('POST /proposals/:id/dismissal', { params: { id }, body: { reason } })).rows ?? []

export const answer = async ({ id, exploration }: Entry, text: string): Promise<Decision> => (await call(
  'POST /explorations/:id/questions/:question/answer', { params: { id: exploration.id, question: id }, body: { text } }
)).rows
