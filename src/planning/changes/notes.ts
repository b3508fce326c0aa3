/** Notes about an item or an exploration: they are added, and never changed. */
import { randomUUID } from 'node:crypto'
import type { Change } from './change.js'
import { WriteRefusal } from './refusals.js'

const MAX_NOTES = 2000

interface NewNote {
  item_id?: string | undefined
  text: string
  /** Whether it is part of the row of a report, and has none of its own. */
  isPart?: boolean
}

/** Adds a note and returns its id. @throws {WriteRefusal} `too_many_open` */
export const addNote = async (change: Change, { item_id: item, text, isPart = false }: NewNote): Promise<string> => {
  if (item !== undefined && !isPart) await change.item(item)
  if (await change.store.count('notes', item ?? null, MAX_NOTES) >= MAX_NOTES) {
    throw new WriteRefusal('too_many_open', `There are ${MAX_NOTES} notes here already, and there can be no more.`)
  }
  const id = randomUUID()
  const note = {
    id,
    item_id: item ?? null,
    text,
    written_by: change.author,
    created_at: new Date().toISOString(),
    hidden: false
  }
  if (isPart) await change.store.write('note', id, note, false)
  else await change.set('note', id, note)
  return id
}
