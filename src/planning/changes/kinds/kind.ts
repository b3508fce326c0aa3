/** What a kind of change is, and the checks that several kinds have. */
import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../../../lib/errors.js'
import type { Change } from '../change.js'
import type { Author, ProposedChange, RecordKind, State } from '../records.js'
import { WriteRefusal } from '../refusals.js'

export interface ChangeKind {
  /** The members that it needs, and those that it may have; `some`: at least one of those. */
  needs: readonly string[]
  may?: readonly string[]
  some?: boolean
  /** The values that its `status` may have. */
  statuses?: readonly string[]
  /** The most characters of its `title`. */
  maxTitle?: number
  /** The record that it changes, by the member that has its id; none where it adds one. */
  of?: readonly [kind: RecordKind, member: string]
  /** Whether it replaces what a person has to have read: then the record's revision is asked for. */
  replaces?: boolean
  /** The members that are fields of its record: it is made from their values, and has to change one of them. */
  sets?: readonly string[]
  /** What else it is made from: it holds as long as this is the same. @throws {Refusal} when it cannot be made */
  base? (change: Change, made: ProposedChange, id: string): Promise<unknown>
  /** Makes it and returns the ids that it gave. `id`: of the record that it changes; '' where it adds one. */
  apply (change: Change, made: ProposedChange, id: string, by: Author): Promise<State | undefined>
}

export const text = (made: ProposedChange, field: string): string => String(made[field] ?? '')

export const optionalText = (made: ProposedChange, field: string): string | undefined =>
  made[field] === undefined ? undefined : text(made, field)

export const requireRecord = async (change: Change, kind: RecordKind, id: string): Promise<State> => {
  const record = kind === 'item' ? await change.item(id) : await change.store.read(kind, id)
  if (record) return record
  throw new WriteRefusal('unknown_item', `The exploration has no ${kind} ${JSON.stringify(id)}.`)
}

/** @throws {Refusal} `conflict` */
export const requireOther = (isSame: boolean): void => {
  if (isSame) throw new Refusal('It is so already: nothing is left to change.', 'conflict')
}

/** Of the record, the fields that the change sets. @throws {Refusal} when it has these values already */
export const otherFields = (record: State, fields: State): State => {
  const before = Object.fromEntries(Object.keys(fields).map((field) => [field, record[field] ?? null]))
  requireOther(isDeepStrictEqual(before, fields))
  return before
}

export const membersAmong = (made: ProposedChange, names: readonly string[]): State =>
  Object.fromEntries(Object.entries(made).filter(([name]) => names.includes(name)))
