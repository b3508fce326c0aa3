/** Undoes rows of the history in the name of the person who is signed in. */
import { call } from '../api/call.js'
import type { HistoryRow } from './history-words.js'

/** Undoes rows that were written together, the last one first. @throws {RequestError} for the first that is not. */
export const undoRows = async (ids: readonly string[]): Promise<void> => {
  for (const id of ids.toReversed()) await call('POST /history/:id/undo', { params: { id } })
}

/** Returns the rows that a later one has overwritten. `rows`: the newest first, from the newest of all on. */
export const overwrittenAmong = (rows: readonly HistoryRow[]): ReadonlySet<HistoryRow> => {
  const latest = new Map<string, unknown>()
  return new Set(rows.filter(({ target: { kind, id }, after }) =>
    // All fields are kept, also after one that differs.
    Object.entries({ ...after, note: null, is_there: after !== null }).filter(([field, value]) => {
      const place = JSON.stringify([kind === 'lease' ? 'item' : kind, id, field])
      // A lease that was renewed is the same.
      const now = JSON.stringify(field === 'lease' ? (value as { id?: string } | null)?.id : value)
      if (!latest.has(place)) latest.set(place, now)
      return latest.get(place) !== now
    }).length > 0))
}
