/** Adds a note about an item or an exploration. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/add_note.input.json' with { type: 'json' }
import output from '#schemas/tools/add_note.output.json' with { type: 'json' }
import { addNote } from '../changes/notes.js'
import { writingTool } from './writing-tool.js'

export const addNoteTool = writingTool<FromSchema<typeof input>>({
  name: 'add_note',
  title: 'Add a note',
  description: 'Keeps a note about an item or the exploration.',
  input,
  output
}, addNote, ({ note_id: id }) => `Kept as note ${String(id)}.`)
