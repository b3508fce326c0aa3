/** Handlers: decisions about what agents propose and ask, the history of an exploration, and undoing a part of it. */
import type { ChangePlace } from '../../db/planning/sql-change-places.js'
import { encodeCursor } from '../../db/sql/cursor.js'
import { forbidden, Refusal, type Fault } from '../../lib/errors.js'
import { isUuid } from '../../lib/uuid.js'
import type { PersonCall } from '../../planning/changes/ports.js'
import type { Handlers, OperationCall, OperatorFacts } from '../handler.js'
import type { Operation } from '../operation.js'
import type { changesOperations } from '../operations/changes.js'
import { accessTo, EDITORS, type WebPerson } from '../permission.js'
import type { PageDeps } from '../page-deps.js'
import { requireVisibleIds, visibleWorkspaces } from '../visible-workspaces.js'

const MAX_PROPOSALS = 1000
const HISTORY_ROWS = 100

type Deps = Pick<PageDeps, 'directory' | 'planChanges' | 'store' | 'web'>
type DecisionCall =
  Pick<OperationCall<Operation>, 'onBehalfOf' | 'note'> & { person: WebPerson | undefined }

/**
 * Returns the handlers by method and path. They reject with a `Refusal`, or a `Fault` for a person without the role.
 */
export const changesHandlers = (
  { directory, planChanges, store, web: { people, places } }: Deps
): Handlers<typeof changesOperations> => {
  const decider = async ({ person, onBehalfOf }: DecisionCall): Promise<WebPerson> => {
    if (person) return person
    if (onBehalfOf === undefined) throw new Refusal('Choose the person who decides with --user.')
    const found = await people.find(onBehalfOf)
    if (!found || found.deactivated_at !== null) {
      throw new Refusal(`There is no active person ${JSON.stringify(onBehalfOf.slice(0, 320))}.`, 'not_found')
    }
    const { id, email, name, memberships } = found
    return { user: { id, email, name }, serverAdmin: found.server_admin, memberships }
  }

  /** Returns who decides, when they are an editor or admin where the record is. */
  const requireDecider = async (
    call: DecisionCall, what: string, place: ChangePlace | undefined, target?: string
  ): Promise<{ by: PersonCall, about: OperatorFacts }> => {
    const person = await decider(call)
    if (!place || !person.memberships.some(({ workspace: { id } }) => id === place.workspace_id)) {
      throw new Refusal(`There is no ${what} with this id, or ${person.user.email} may not see it.`, 'not_found')
    }
    call.note({ ...place, ...target !== undefined && { target } })
    if (!accessTo(EDITORS, person).workspaces.includes(place.workspace_id)) {
      throw notEditor(person)
    }
    return { by: { user: person.user }, about: { ...place, user_id: person.user.id } }
  }

  const placeOfExploration = async (id: string): Promise<ChangePlace | undefined> => {
    const workspace = isUuid(id) ? await store.explorations.workspaceOf(id.toLowerCase()) : undefined
    return workspace === undefined ? undefined : { workspace_id: workspace, exploration_id: id.toLowerCase() }
  }

  return {
    'GET /proposals': async ({ query: { workspace, state, limit = MAX_PROPOSALS }, person, access }) => {
      if (!person) {
        const workspaces = workspace === undefined ? undefined : [await directory.findWorkspace(workspace)]
        return { proposals: await planChanges.proposals({ workspaces, state, limit }) }
      }
      const seen = workspace === undefined ? visibleWorkspaces(person) : requireVisibleIds(person, [workspace])
      const workspaces = access.workspaces.filter((id) => seen.includes(id))
      if (seen.length > 0 && workspaces.length === 0) throw notEditor(person)
      return { proposals: await planChanges.proposals({ workspaces, state, limit }) }
    },

    'POST /proposals/:id/acceptance': async ({ params: { id }, record, ...call }) => {
      const { by, about } = await requireDecider(call, 'proposal', await places.ofProposal(id), id)
      const accepted = await planChanges.accept(by, id)
      await record('proposal/accepted', { ...about, target: id })
      return accepted
    },

    'POST /proposals/:id/dismissal': async ({ params: { id }, body: { reason }, record, ...call }) => {
      const { by, about } = await requireDecider(call, 'proposal', await places.ofProposal(id), id)
      const dismissed = await planChanges.dismiss(by, id, reason)
      await record('proposal/dismissed', { ...about, target: id })
      return dismissed
    },

    'POST /explorations/:id/questions/:question/answer': async ({ params, body: { text }, record, ...call }) => {
      const place = await placeOfExploration(params.id)
      const { by, about } = await requireDecider(call, 'exploration', place)
      const { question, item_id: item } = await planChanges.answer(by, params.id.toLowerCase(), params.question, text)
      await record('question/answered', about)
      const answered = { id: params.question, question: String(question), answer: text, status: 'answered' as const }
      return typeof item === 'string' ? { ...answered, item_id: item } : answered
    },

    'GET /explorations/:id/history': async ({ params: { id }, query: { limit = HISTORY_ROWS, before }, person }) => {
      const place = await placeOfExploration(id)
      const sees = !person || person.memberships.some(({ workspace }) => workspace.id === place?.workspace_id)
      if (!place || !sees) {
        throw new Refusal('There is no exploration with this id, or you may not see it.', 'not_found')
      }
      const { items, ...rest } = await planChanges.history(place.exploration_id, { limit, before: cursorOf(before) })
      return { history: items, ...rest }
    },

    'POST /history/:id/undo': async ({ params: { id }, record, ...call }) => {
      const { by, about } = await requireDecider(call, 'change', await places.ofHistory(id), id)
      const row = await planChanges.undo(by, id)
      await record('history/undone', { ...about, target: id })
      return row
    }
  }
}

const notEditor = ({ user: { email } }: WebPerson): Fault =>
  forbidden(`Only an editor or admin of the workspace may do this: ${email} is neither.`, 'Ask one of them.')

/** The id of a row stands for the cursor after it. */
const cursorOf = (before: string | undefined): string | undefined =>
  before !== undefined && /^\d+$/.test(before) ? encodeCursor('history', [before]) : before
