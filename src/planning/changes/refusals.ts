/** Refusals of tools; those that write have a word for programs. */
import { Refusal } from '../../lib/errors.js'

export type WriteError =
  'agents_read_only' | 'idempotency_conflict' | 'unknown_item' | 'not_held' | 'cycle' | 'text_not_unique' |
  'too_many_open' | 'secret_in_text'

/** A result with `isError: true`, this sentence, and the word as `structuredContent.error`. */
export class WriteRefusal extends Refusal {
  constructor (readonly code: WriteError, message: string) {
    super(message, code === 'unknown_item' ? 'not_found' : 'invalid')
    this.name = 'WriteRefusal'
  }
}

export const agentsReadOnly = (name?: string): WriteRefusal => new WriteRefusal('agents_read_only',
  `${name === undefined ? 'This workspace' : `The workspace ${JSON.stringify(name)}`} lets agents read only. An ` +
  'admin of it can change that: on the page Workspaces, or with workspaces update SLUG --agents report.')

export const unknownExploration = (): Refusal => new Refusal(
  'There is no exploration with this id, or you may not see it. Call find_explorations with a few words to get ' +
    'the right id.', 'not_found')
