/** Undoes one row of the history, by a row of its own. */
import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../../lib/errors.js'
import type { Change } from './change.js'
import { writePackage } from './kinds/text-kinds.js'
import { holds } from './proposals.js'
import type { HistoryRow, Lease, ProposedChange, State } from './records.js'

/** @throws {Refusal} when the row cannot be undone, or was overwritten: then it names the later row */
export const undoRow = async (change: Change, row: HistoryRow): Promise<void> => {
  const { target: { kind: named, id }, before, after } = row
  const reason = whyNotUndone(row)
  if (reason !== undefined) throw new Refusal(reason, 'conflict')
  // An import is not undone.
  const kind = named === 'lease' || named === 'import' ? 'item' : named
  const { note: noteBefore, ...fieldsBefore } = before ?? {}
  const { note: noteAfter, ...fieldsAfter } = after ?? {}
  const now = await change.store.read(kind, id)
  await requireUnchanged(change, row, now, after === null ? null : fieldsAfter)
  if (kind === 'proposal') await requireHolding(change, { ...now, ...before })
  if (kind === 'note') {
    await change.set('note', id, { hidden: fieldsBefore['hidden'] ?? true }, { undoes: row.id })
  } else if (kind === 'package' && before !== null) {
    const markdown = await change.store.packageText(id, Number(fieldsBefore['version']))
    if (markdown === undefined) throw new Refusal('The former text of the package is not kept.', 'conflict')
    await writePackage(change, id, markdown, row.id)
  } else if (before === null) {
    if (kind === 'item') await requireFreeItem(change, row)
    await change.set(kind, id, undefined, { undoes: row.id })
  } else {
    await hide(change, noteAfter, true)
    await hide(change, noteBefore, false)
    const position = now === undefined && (kind === 'item' || kind === 'dependency' || kind === 'question')
      ? { position: await change.store.nextPosition(kind) }
      : {}
    const updated = kind === 'exploration' ? { updated_at: new Date().toISOString() } : {}
    await change.set(kind, id, { ...fieldsBefore, ...position, ...updated }, {
      as: named, undoes: row.id, also: { before: noteIn(noteAfter), after: noteIn(noteBefore) }
    })
  }
}

/** Why no row of this form is undone; undefined for one that is, unless it was overwritten. */
export const whyNotUndone = (
  { target: { kind }, before }: Pick<HistoryRow, 'target' | 'before'>
): string | undefined => {
  if (kind === 'import') return 'An import is not undone: import again.'
  if (kind === 'proposal' && before === null) return 'That something was proposed is not undone: dismiss it.'
  if (kind === 'exploration' && before === null) return 'That an exploration was made is not undone: archive it.'
  return undefined
}

/** The fields that the row changed have to be as it left them. */
const requireUnchanged = async (
  change: Change, row: HistoryRow, now: State | undefined, after: State | null
): Promise<void> => {
  const fields = Object.keys(after ?? row.before ?? {}).filter((field) => field !== 'hidden' || after !== null)
  const isSame = after === null
    ? now === undefined
    : now !== undefined && fields.every((field) => isDeepStrictEqual(comparable(field, now), comparable(field, after)))
  if (isSame) return
  const later = await change.store.laterRow(row, fields)
  throw new Refusal(later === undefined
    ? 'What the row changed has been changed since, by an import.'
    : `What the row changed was overwritten by the row ${later}: undo that first.`, 'conflict')
}

/** A proposal is open again when what it is made from is as it was. */
const requireHolding = async (change: Change, { changes, base }: State): Promise<void> => {
  // The columns of a proposal.
  if (await holds(change, changes as ProposedChange[], base as unknown[])) return
  throw new Refusal('What the proposal is about has changed: undo its changes first.', 'conflict')
}

/** A lease that was renewed is the same. */
const comparable = (field: string, state: State): unknown => {
  const value = state[field] ?? null
  // The field of an item.
  return field === 'lease' && value !== null ? (value as Lease).id : value
}

const requireFreeItem = async (change: Change, { target: { id } }: HistoryRow): Promise<void> => {
  const waiting = (await change.store.dependencies()).find((one) => [one.item_id, one.depends_on].includes(id))
  if (waiting) {
    throw new Refusal(`${waiting.item_id} waits for ${waiting.depends_on}: remove that dependency first.`, 'conflict')
  }
}

const hide = async (change: Change, note: unknown, hidden: boolean): Promise<void> => {
  const id = typeof note === 'object' && note !== null && 'id' in note ? String(note.id) : undefined
  const found = id === undefined ? undefined : await change.store.read('note', id)
  if (found && id !== undefined) await change.store.write('note', id, { ...found, hidden }, false)
}

const noteIn = (note: unknown): State => note === undefined ? {} : { note }
