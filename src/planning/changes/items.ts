/** Claims of items and reports about them. */
import { randomUUID } from 'node:crypto'
import { effectOf } from '../agent-policy.js'
import { blockquote, ESCAPE_NOTE, quoteId, quoteText } from '../tools/escape-text.js'
import { requireReadable } from '../tools/plan-states.js'
import { codePointBoundary } from '../tools/truncate.js'
import type { Change } from './change.js'
import { isLive, setStatus } from './complete-item.js'
import type { Answer, ItemFacts } from './change-store.js'
import { createProposal } from './proposals.js'
import type { Evidence } from '../records.js'
import type { ItemState, Lease } from './records.js'
import { WriteRefusal } from './refusals.js'

const MAX_LEASES = 200

export interface ClaimInput { item_id?: string, lease_minutes: number }

export interface ReportInput {
  item_id: string
  status: ItemState['status']
  note?: string
  evidence?: Evidence[]
  expected_revision?: number
}

/** Claims an item for the credential, or renews its claim. @throws {Refusal} for a plan that cannot be worked by */
export const claim = async (
  change: Change, { item_id: named, lease_minutes: minutes }: ClaimInput
): Promise<Answer> => {
  const { store, actor } = change
  requireReadable(await store.plan())
  if (!actor?.credential) throw new Error('only an agent claims items')
  const { user, credential } = actor
  const id = named ?? await store.nextItem()
  if (id === undefined) return { claimed: false, reason: 'nothing_ready' }
  const item = await change.item(id)
  const held = isLive(item.lease) ? item.lease : undefined
  const reason = await whyNot(change, item, held?.credential_id === credential.id ? undefined : held)
  if (reason !== undefined) return { claimed: false, reason, current: await store.shown(id) }
  if (!held && await store.count('leases', credential.id, MAX_LEASES) >= MAX_LEASES) {
    throw new WriteRefusal('too_many_open', `This credential holds ${MAX_LEASES} items already: finish some of them, ` +
      'or give them back with report_progress and the status todo.')
  }
  const since = new Date()
  // What has ended holds nothing.
  const end = Math.min(since.getTime() + minutes * 60_000, Date.parse(change.place.ends ?? '') || Infinity)
  const until = new Date(end).toISOString()
  const lease: Lease = held
    ? { ...held, until }
    : {
        id: randomUUID(),
        credential_id: credential.id,
        credential: credential.name,
        user_id: user.id,
        user: user.email,
        since: since.toISOString(),
        until,
        lapsed: false
      }
  const lapsed = item.lease !== null && !item.lease.lapsed && !held
  await change.set('item', id, { status: 'in_progress', lease }, {
    as: 'lease', raise: false, events: lapsed ? [{ kind: 'lease_ended', item_id: id, text: 'it lapsed' }] : []
  })
  return {
    claimed: true,
    item: await store.shown(id),
    lease: { id: lease.id, expires_at: until },
    briefing: await briefing(change, id)
  }
}

/** Of a briefing, in UTF-16 code units. */
const MAX_CHARS = 3000

/** What the holder of an item has to know, in few words, with URIs for the rest. */
const briefing = async ({ store, place }: Change, item: string): Promise<string> => {
  const facts = await store.facts(item)
  const uri = `${place.uriScheme ?? 'service'}://exploration/${place.exploration}`
  const end = `\nAll of it: get_planning_full, get_exploration, ${uri}` +
    facts.packages.map(({ type }) => `, ${uri}/artifact/${encodeURIComponent(type)}`).join('')
  const text = sectionsOf(facts).join('\n')
  const room = MAX_CHARS - end.length
  if (text.length <= room) return text + end
  return `${text.slice(0, codePointBoundary(text, Math.max(0, room - 1)))}…${end}`
}

const sectionsOf = (
  { acceptance, waits_for: waits, unblocks, held, questions, notes, packages }: ItemFacts
): string[] => [
  `What to know ${ESCAPE_NOTE}`,
  ...section('Accepted when', acceptance.map(({ text, met }) => `[${met ? 'x' : ' '}] ${quoteText(text)}`)),
  ...section('Waits for', waits.map(({ id, title, status }) => `${quoteId(id)} ${quoteText(title)}, ${status}`)),
  ...section('Unblocks', unblocks.map(({ id, title }) => `${quoteId(id)} ${quoteText(title)}`)),
  ...section('Held by others', held.map(({ id, credential }) => `${quoteId(id)} by ${quoteText(credential)}`)),
  ...section('Open questions', questions.map(({ id, question }) => `${quoteId(id)} ${quoteText(question)}`)),
  ...section('Notes', notes.map(({ text, by }) => `${quoteText(by)}: ${quoteText(text)}`)),
  ...packages.flatMap(({ type, excerpt }) => [`Package ${type}, where it names the item:`, blockquote(excerpt)])
]

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`)]

const whyNot = async (
  { store }: Change, item: ItemState, other: Lease | undefined
): Promise<'held' | 'done' | 'not_ready' | undefined> => {
  if (other) return 'held'
  if (item.status === 'done') return 'done'
  if (item.finished || item.status === 'blocked') return 'not_ready'
  return item.status === 'todo' && !await store.isFree(item.id) ? 'not_ready' : undefined
}

/**
 * Reports the status of an item. `done` counts at once where the workspace lets agents report and there is evidence;
 * otherwise it becomes a proposal.
 * @throws {WriteRefusal} `not_held` without a lease or the revision of the item
 */
export const report = async (change: Change, input: ReportInput): Promise<Answer> => {
  const { item_id: id, status, note, evidence = [], expected_revision: expected } = input
  const item = await change.item(id)
  const isMine = item.lease !== null && item.lease.credential_id === change.actor?.credential?.id
  if (!isMine && isLive(item.lease)) return await unwritten(change, item, 'held', expected)
  if (status === 'done' && item.finished) return { proposed: true, proposal_id: item.finished.proposal_id }
  const isRepeated = status === 'done' && item.status === 'done' && expected === undefined
  if (isRepeated || (expected !== undefined && expected !== item.revision)) {
    return await unwritten(change, item, 'changed', expected)
  }
  if (expected === undefined && !isMine) {
    throw new WriteRefusal('not_held', 'Nothing shows that you know this item as it is: claim it with claim_item, or ' +
      'give its revision from get_planning_full as expected_revision.')
  }
  const { policy } = change.place
  if (status === 'done' && effectOf('report_progress done', policy, evidence.length > 0) === 'proposal') {
    return { proposed: true, proposal_id: await finishItem(change, item, { evidence, note }) }
  }
  await setStatus(change, item, status, { evidence, note })
  return { written: true, item: await change.store.shown(id), plan_version: await change.planVersion() }
}

/** Proposes that the item is done: it is under way, and waits for a person. */
const finishItem = async (
  change: Change, item: ItemState, { evidence, note }: { evidence: readonly Evidence[], note: string | undefined }
): Promise<string> => {
  const at = new Date().toISOString()
  const lease = item.lease && { ...item.lease, until: at, lapsed: true }
  const proposal = randomUUID()
  await change.set('item', item.id, { status: 'in_progress', finished: { proposal_id: proposal, at }, lease })
  await createProposal(change, {
    id: proposal, changes: [{ kind: 'complete_item', item_id: item.id, ...(note !== undefined && { note }), evidence }]
  })
  return proposal
}

const unwritten = async (
  { store }: Change, item: ItemState, reason: 'held' | 'changed', expected: number | undefined
): Promise<Answer> => {
  const last = await store.lastChange('item', item.id)
  const by = reason === 'held' && item.lease ? { ...item.lease, at: item.lease.since } : last
  return {
    written: false,
    reason,
    ...(expected !== undefined && { expected }),
    current: await store.shown(item.id),
    ...(by && {
      changed_by: { user: by.user, credential: by.credential },
      changed_at: by.at
    })
  }
}
