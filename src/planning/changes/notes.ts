/** Notes about an item or an exploration: they are added, and never changed. */
import { randomUUID } from 'node:crypto'
import type { Change } from './change.js'
import type { Answer } from './change-store.js'
import type { Author, State } from './records.js'
import { WriteRefusal } from './refusals.js'

const MAX_NOTES = 2000

/** Adds a note. @throws {WriteRefusal} */
export const addNote = async (
  change: Change, { item_id: item, text }: { item_id?: string, text: string }
): Promise<Answer> => {
  if (item !== undefined) await change.item(item)
  const note = await newNote(change, item, text)
  await change.set('note', note.id, note)
  return { note_id: note.id }
}

/** Adds a note that is part of another row of the history: what belongs to that row. Nothing without a text. */
export const noteOf = async (
  change: Change, item: string, text: string | undefined, by?: Author
): Promise<{ before: State, after: State } | undefined> => {
  if (text === undefined) return undefined
  const note = await newNote(change, item, text, by)
  await change.store.write('note', note.id, note, false)
  return { before: { note: null }, after: { note: { id: note.id, text } } }
}

const newNote = async (change: Change, item: string | undefined, text: string, by?: Author) => {
  if (await change.store.count('notes', item ?? null, MAX_NOTES) >= MAX_NOTES) {
    throw new WriteRefusal('too_many_open', `There are ${MAX_NOTES} notes here already, and there can be no more.`)
  }
  return {
    id: randomUUID(),
    item_id: item ?? null,
    text,
    written_by: by ?? change.author,
    created_at: new Date().toISOString(),
    hidden: false
  }
}
