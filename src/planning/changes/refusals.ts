/** Refusals of writing tools, each with a word for programs. */
import { Refusal } from '../../lib/errors.js'

export type WriteError =
  'agents_read_only' | 'idempotency_conflict' | 'unknown_item' | 'not_held' | 'cycle' | 'text_not_unique' |
  'too_many_open' | 'secret_in_text'

/** A result with `isError: true`, this sentence, and the word as `structuredContent.error`. */
export class WriteRefusal extends Refusal {
  constructor (readonly code: WriteError, message: string) {
    super(message)
    this.name = 'WriteRefusal'
  }
}
