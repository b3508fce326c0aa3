/** Changes in the name of the person who is signed in; a message then offers to undo them. */
import { useAction } from '../api/action.js'
import { pathOf, type Answer } from '../api/call.js'
import { messageOf } from '../api/problem.js'
import { requestJson } from '../api/request.js'
import { invalidate } from '../api/resource.js'
import { undoRows } from '../changes/undo-rows.js'
import { showToast } from '../components/toast.js'
import type { Change } from './form.js'

type Made = Answer<'POST /explorations/:id/changes'>

const fail = (error: unknown): void => showToast(messageOf(error), 'bad')

const undo = async ({ rows }: Made): Promise<void> => {
  // A proposal that a change has overtaken stays so.
  await undoRows(rows.filter(({ target }) => target.kind !== 'proposal').map(({ id }) => id))
  showToast('Undone.')
}

/** Makes all or none. @throws {RequestError} 412 with the record as `current` when its revision is another by now */
export const makeChanges = async (
  exploration: string, changes: readonly Change[], revision: number | null = null
): Promise<void> => {
  const path = pathOf('POST /explorations/:id/changes', { id: exploration })
  const made = await requestJson<Made>('POST', path, { body: { changes }, revision })
  const refresh = (): void => invalidate('/explorations', '/inbox')
  refresh()
  showToast('Saved.', 'good', { label: 'Undo', run: () => { undo(made).catch(fail).finally(refresh) } })
}

/** `makeChanges` for a button that asks for nothing more; what failed is a message too. */
export const useChange = (exploration: string) =>
  useAction((change: Change) => makeChanges(exploration, [change]).catch(fail))
