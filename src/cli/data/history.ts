/** `history`, `undo`: what changed in an exploration, by whom, and taking a change back. */
import type { ResponseOf } from '../../administration/operation.js'
import type { SocketOperations } from '../../administration/operations.js'
import { listed, managed, rowsOfPages } from '../managed.js'
import { brief, stripControlChars } from '../print/print.js'

type HistoryRow = ResponseOf<SocketOperations['GET /explorations/:id/history']>['history'][number]

/** The fields that changed. */
const fieldsOf = (state: HistoryRow['before']): string | undefined => state === null
  ? undefined
  : brief(Object.entries(state).map(([field, value]) => `${field} ${JSON.stringify(value)}`).join(', '))

const targetOf = ({ target: { kind, id } }: HistoryRow): string => `${kind} ${id}`

/** Prints so many rows, newest first; `before` is the id of a row: only older ones. */
export const history = listed(
  (api, { exploration: id, limit, before }: { exploration: string, limit: number, before?: string }) => rowsOfPages(
    async (cursor, wanted) => {
      const { history: rows, next_cursor: next } = await api.call('GET /explorations/:id/history', {
        params: { id }, query: { limit: wanted, before: cursor }
      })
      return { rows, next }
    }, { from: before, limit }),
  [
    ['ID', ({ id }) => id], ['AT', ({ at }) => at],
    ['BY', ({ user, credential }) => [user, credential].filter(Boolean).join(' · ') || 'the server'],
    ['TOOL', ({ tool }) => tool], ['WHAT', targetOf], ['BEFORE', (row) => fieldsOf(row.before)],
    ['AFTER', ({ after }) => fieldsOf(after)], ['UNDOES', ({ undoes }) => undoes]
  ], 'Nothing has changed since it was imported.'
)

/**
 * Undoes one change in the name of a person, and prints the new row.
 * @throws {Refusal} when it was overwritten since, cannot be undone, or the person may not
 */
export const undo = managed(
  (api, { id, user }: { id: string, user: string }) => api.callAs(user, 'POST /history/:id/undo', { params: { id } }),
  (row, { id }) => `Undone: ${stripControlChars(targetOf(row))} is as before change ${stripControlChars(id)}.`
)
