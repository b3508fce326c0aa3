/** Undoes rows of the history in the name of the person who is signed in. */
import { call } from '../api/call.js'

/**
 * Undoes rows that were written together, the last one first.
 * @throws {RequestError} for the first that is not undone: those after it are
 */
export const undoRows = async (ids: readonly string[]): Promise<void> => {
  for (const id of ids.toReversed()) await call('POST /history/:id/undo', { params: { id } })
}
