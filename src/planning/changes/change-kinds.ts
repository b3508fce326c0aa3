/** The rules of all kinds of changes: which members each has, whether it can be made, and that it is made. */
import { Refusal, StaleRefusal } from '../../lib/errors.js'
import type { Change } from './change.js'
import { membersAmong, otherFields, requireRecord, text, type ChangeKind } from './kinds/kind.js'
import { PEOPLE_KINDS } from './kinds/people-kinds.js'
import { PLAN_KINDS } from './kinds/plan-kinds.js'
import { TEXT_KINDS } from './kinds/text-kinds.js'
import type { Author, Lease, ProposedChange, RecordKind, ShownRecord, State } from './records.js'

const KINDS: Readonly<Record<string, ChangeKind>> = { ...PLAN_KINDS, ...TEXT_KINDS, ...PEOPLE_KINDS }

const kindOf = ({ kind }: ProposedChange): ChangeKind => {
  const found = KINDS[kind]
  if (found) return found
  throw new Refusal(`There is no change of the kind ${JSON.stringify(kind)}.`)
}

/** Returns the change with the members of its kind alone. @throws {Refusal} when one is missing or wrong */
export const requireMembers = (made: ProposedChange): ProposedChange => {
  const { needs, may = [], some, statuses, maxTitle } = kindOf(made)
  const what = `A change of the kind ${made.kind}`
  const isEmptyText = (field: string): boolean => made[field] === '' && field !== 'replace' && field !== 'markdown'
  const missing = needs.filter((field) => made[field] === undefined || isEmptyText(field))
  if (missing.length > 0) throw new Refusal(`${what} needs ${missing.join(', ')}.`)
  const fields = [...needs, ...may].filter((field) => made[field] !== undefined)
  if (some && fields.length === needs.length) throw new Refusal(`${what} needs one of ${may.join(', ')}.`)
  if (statuses && made['status'] !== undefined && !statuses.includes(text(made, 'status'))) {
    throw new Refusal(`${what} has a status of ${statuses.join(', ')}.`)
  }
  if (maxTitle !== undefined && text(made, 'title').length > maxTitle) {
    throw new Refusal(`${what} has a title of at most ${maxTitle} characters.`)
  }
  return { kind: made.kind, ...Object.fromEntries(fields.map((field) => [field, made[field]])) }
}

/** What a change is made from. @throws {Refusal} when it cannot be made */
export const baseOf = async (change: Change, made: ProposedChange): Promise<unknown> => {
  const { base, sets } = kindOf(made)
  const { kind, id = '' } = targetOf(made, change.place.exploration) ?? {}
  if (base) return await base(change, made, id) ?? null
  return kind && sets ? otherFields(await requireRecord(change, kind, id), membersAmong(made, sets)) : null
}

/** Makes a change, and returns it with the ids that it gave. @throws {Refusal} */
export const applyChange = async (change: Change, made: ProposedChange, by: Author): Promise<ProposedChange> =>
  ({ ...made, ...await kindOf(made).apply(change, made, targetOf(made, change.place.exploration)?.id ?? '', by) })

export const targetOf = (made: ProposedChange, exploration: string): { kind: RecordKind, id: string } | undefined => {
  const [kind, member] = KINDS[made.kind]?.of ?? []
  return kind && member !== undefined ? { kind, id: member === '' ? exploration : text(made, member) } : undefined
}

/**
 * The record in which the changes replace something has to be as it was read.
 * @throws {Refusal} `unread` without a revision, and for several records; {StaleRefusal} when it has changed
 */
export const requireRead = async (
  change: Change, changes: readonly ProposedChange[], expected: number | undefined
): Promise<void> => {
  const replaced = new Map(changes.filter((made) => kindOf(made).replaces).flatMap((made) => {
    const target = targetOf(made, change.place.exploration)
    return target ? [[`${target.kind} ${target.id}`, target] as const] : []
  }))
  if (replaced.size > 1) throw new Refusal('These changes replace parts of several records: send one record at a time.')
  for (const { kind, id } of replaced.values()) {
    const state = await change.store.read(kind, id)
    if (!state) continue
    const current = shownRecord(kind, id, state)
    if (expected === undefined) {
      throw new Refusal('Say with If-Match which revision of the record you have read.', 'unread')
    }
    if (current.revision !== expected) {
      const last = await change.store.lastChange(kind, id)
      throw new StaleRefusal('Somebody has changed it since you read it: compare, then save again.', {
        ...current, ...(last && { changed_by: last.user, changed_at: last.at })
      })
    }
  }
}

/** What only the server needs. */
const UNSHOWN = new Set(['changed_here', 'position', 'status_before_question', 'questions', 'base', 'credential_id'])

export const shownRecord = (kind: RecordKind, id: string, { lease, revision, ...state }: State): ShownRecord => {
  const fields = Object.entries(state).filter(([name, value]) => !UNSHOWN.has(name) && value !== null)
  const number = revision ?? (kind === 'package' ? state['version'] : null)
  return {
    kind,
    id,
    revision: typeof number === 'number' ? number : null,
    fields: { ...Object.fromEntries(fields), ...(lease != null && { claimed_by: claimOf(lease as Lease) }) }
  }
}

const claimOf = ({ user, credential, since, until, lapsed }: Lease): State =>
  ({ user, credential, since, until, lapsed })
