/** Handlers: changes that people make, decisions about what agents propose and ask, the history, and what waits. */
import { Refusal } from '../../lib/errors.js'
import { isUuid } from '../../lib/uuid.js'
import type { PersonCall } from '../../planning/changes/ports.js'
import { whyNotUndone } from '../../planning/changes/undo.js'
import { createChangeStreams } from '../change-streams.js'
import type { Handlers, OperationCall } from '../handler.js'
import type { Operation } from '../operation.js'
import type { changesOperations } from '../operations/changes.js'
import type { WebPerson } from '../permission.js'
import type { PageDeps } from '../page-deps.js'
import { placeChanges } from '../views/proposal-places.js'
import { requireEditor, requireEditorOf, requireVisibleIds, visibleWorkspaces } from '../visible-workspaces.js'

const PROPOSAL_ROWS = 200
const HISTORY_ROWS = 100
const INBOX_ROWS = 20

type DecisionCall =
  Pick<OperationCall<Operation>, 'onBehalfOf' | 'note' | 'auditWithin'> & { person: WebPerson | undefined }

export const changesHandlers = (deps: PageDeps): Handlers<typeof changesOperations> => {
  const { directory, planChanges, store, api: { people, inbox } } = deps
  const follow = createChangeStreams(deps)
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
  ): Promise<PersonCall> => {
    const person = await decider(call)
    if (!place || !sees(person, place)) {
      throw new Refusal(`There is no ${what} with this id, or ${person.user.email} may not see it.`, 'not_found')
    }
    call.note({ ...place, user_id: person.user.id, ...target !== undefined && { target } })
    requireEditor(person, place.workspace_id)
    return { user: person.user, auditWithin: call.auditWithin }
  }

  const placeOfExploration = async (id = ''): Promise<ChangePlace | undefined> => {
    const workspace = isUuid(id) ? await store.explorations.workspaceOf(id.toLowerCase()) : undefined
    return workspace === undefined ? undefined : { workspace_id: workspace, exploration_id: id.toLowerCase() }
  }

  const placeOfProposal = async (id: string): Promise<ChangePlace | undefined> =>
    await placeOfExploration((await planChanges.proposalsOf([id]))[0]?.exploration_id)

  return {
    'POST /explorations': async ({ body: { workspace_id: named, ...exploration }, person, note, auditWithin }) => {
      const [workspace = ''] = requireVisibleIds(person, [named])
      requireEditor(person, workspace)
      note({ workspace_id: workspace })
      return { id: await planChanges.create({ user: person.user, auditWithin }, { workspace, ...exploration }) }
    },

    'POST /explorations/:id/changes': async ({ params: { id }, body: { changes }, request, ...call }) => {
      const by = await requireDecider(call, 'exploration', await placeOfExploration(id))
      return await planChanges.make(by, id.toLowerCase(), changes, revisionIn(request.headers['if-match']))
    },

    'GET /explorations/:id/records/:kind/:record': async ({ params: { id, kind, record }, person }) => {
      const place = await placeOfExploration(id)
      if (!place || !sees(person, place)) throw unknownExploration()
      requireEditor(person, place.workspace_id)
      const found = await planChanges.record(place.exploration_id, kind, record)
      if (!found) throw new Refusal(`The exploration has no ${kind} with this id.`, 'not_found')
      return found
    },

    'GET /proposals': async ({ query: { workspace, limit = PROPOSAL_ROWS, ...page }, person, access }) => {
      const named = person || workspace === undefined ? undefined : [await directory.findWorkspace(workspace)]
      const workspaces = person ? requireEditorOf(person, access, workspace) : named
      const { items: proposals, ...rest } = await planChanges.proposals({ workspaces, limit, ...page })
      return { proposals, ...rest }
    },

    'POST /proposals/:id/acceptance': async ({ params: { id }, body, ...call }) => {
      const by = await requireDecider(call, 'proposal', await placeOfProposal(id), id)
      return await planChanges.accept(by, id, body?.changes)
    },

    'POST /proposals/:id/dismissal': async ({ params: { id }, body: { reason }, ...call }) => {
      const by = await requireDecider(call, 'proposal', await placeOfProposal(id), id)
      return await planChanges.dismiss(by, id, reason)
    },

    'POST /explorations/:id/questions/:question/answer': async ({ params, body: { text }, ...call }) => {
      const by = await requireDecider(call, 'exploration', await placeOfExploration(params.id))
      const { question, item_id: item, rows } =
        await planChanges.answer(by, params.id.toLowerCase(), params.question, text)
      const about = typeof item === 'string' && { item_id: item }
      return { id: params.question, question: String(question), answer: text, status: 'answered', rows, ...about }
    },

    'GET /explorations/:id/history': async ({ params: { id }, query, person }) => {
      const place = await placeOfExploration(id)
      if (!place || !(person === undefined || sees(person, place))) throw unknownExploration()
      const { items, ...rest } = await planChanges.history(place.exploration_id, { limit: HISTORY_ROWS, ...query })
      const shown = person ? items.map((row) => ({ ...row, undoable: whyNotUndone(row) === undefined })) : items
      return { history: shown, ...rest }
    },

    'POST /history/:id/undo': async ({ params: { id }, ...call }) => {
      const [row] = await planChanges.historyRows([id])
      const by = await requireDecider(call, 'change', await placeOfExploration(row?.exploration_id), id)
      return await planChanges.undo(by, id)
    },

    'GET /inbox': async ({ query: { workspace, limit = INBOX_ROWS, ...place }, person, access }) => {
      const workspaces = requireEditorOf(person, access, workspace)
      const [{ items, ...rest }, counts] = await Promise.all([
        inbox.list({ workspaces, limit, ...place }), inbox.counts(workspaces)
      ])
      const proposals = await planChanges.proposalsOf(
        items.flatMap(({ kind, id }) => kind === 'proposal' || kind === 'finished' ? [id] : []))
      const placed = new Map((await placeChanges(planChanges, proposals)).map((one) => [one.id, one]))
      return {
        items: items.map(({ more, ...item }) => {
          const proposal = placed.get(item.id)
          const named = proposal ? { proposal } : more ? { [item.kind]: more } : {}
          return { ...item, ...named }
        }),
        total: Object.values(counts).reduce((sum, count) => sum + count, 0),
        counts,
        ...rest
      }
    },

    'GET /events': ({ request, reply }) => follow(request, reply)
  }
}

interface ChangePlace { workspace_id: string, exploration_id: string }

const sees = (person: WebPerson, { workspace_id: id }: ChangePlace): boolean => visibleWorkspaces(person).includes(id)

const unknownExploration = (): Refusal =>
  new Refusal('There is no exploration with this id, or you may not see it.', 'not_found')

/** The number of an entity tag, such as `"7"`. @throws {Refusal} for what is none */
const revisionIn = (tag: string | undefined): number | undefined => {
  if (tag === undefined) return undefined
  const [, digits] = /^"(\d{1,9})"$/.exec(tag.trim()) ?? []
  if (digits === undefined) throw new Refusal('If-Match is a revision in quotation marks, such as "7".')
  return Number(digits)
}
