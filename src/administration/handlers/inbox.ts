/** Handlers: what waits for a person, and the stream that says where something has changed. */
import { createChangeStreams } from '../change-streams.js'
import type { Handlers } from '../handler.js'
import type { inboxOperations } from '../operations/changes.js'
import { requireEditorOf } from '../editors.js'
import type { PageDeps } from '../page-deps.js'
import { placeChanges } from '../views/proposal-places.js'

const INBOX_ROWS = 20

/** Returns the handlers by method and path. */
export const inboxHandlers = (deps: PageDeps): Handlers<typeof inboxOperations> => {
  const { planChanges, web: { inbox } } = deps
  const follow = createChangeStreams(deps)
  return {
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
