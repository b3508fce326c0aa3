/** Handlers of the command line alone: people, links that sign in, and the running server. */
import { SERVER } from '../../config/server-info.js'
import { Refusal } from '../../lib/errors.js'
import type { Handlers } from '../handler.js'
import { ndjsonProgress } from '../ndjson-progress.js'
import type { serverOperations, usersOperations } from '../operations/server.js'
import type { ImportProgress, ManagementPorts } from '../ports.js'
import { USER_CREATED } from '../operator.js'

/** The removal of the last server administrator is a `Refusal`. */
export const serverHandlers = (
  { directory, signInLinks, pages, endpoint, observer, searchIndex }: ManagementPorts
): Handlers<typeof usersOperations & typeof serverOperations> => ({
  'POST /users': async ({ body: { server_admin: serverAdmin, ...user }, actor, record }) => {
    const created = await directory.createUser({ ...user, serverAdmin, by: actor })
    if (created.kind === 'person') {
      await record(USER_CREATED, { user_id: created.id })
      if (serverAdmin) await record('user/made server administrator', { user_id: created.id })
    }
    return created
  },

  'GET /users': async () => ({ users: await directory.listUsers() }),

  'PATCH /users/:user': async ({ params: { user }, body: { server_admin: serverAdmin, active }, record }) => {
    const changed = await directory.changeUser({ user, serverAdmin, active })
    const about = { user_id: changed.id }
    if (serverAdmin !== undefined) {
      await record(serverAdmin ? 'user/made server administrator' : 'user/no server administrator any more', about)
    }
    if (active !== undefined) await record(active ? 'user/activated' : 'user/deactivated', about)
    return changed
  },

  'POST /users/:user/sign-out': async ({ params: { user }, body: { passkeys }, record }) => {
    const ended = await directory.signOut({ user, passkeys })
    await record(passkeys ? 'user/signed out, passkeys removed' : 'user/signed out', { user_id: ended.user.id })
    return ended
  },

  'POST /sign-in-links': async ({ body, note }) => {
    if (pages === 'off') {
      throw new Refusal('The running server has no web application: start it without WEB=off.', 'conflict')
    }
    const link = await signInLinks.create(body.user)
    note({ user_id: link.user.id })
    return { ...link, base: pages?.() ?? null }
  },

  'GET /server': async () => ({ name: SERVER.name, version: SERVER.version, endpoint: endpoint?.() ?? null }),

  'GET /observations': async () => {
    if (!observer) throw new Refusal('This server does not observe its clients: start it with --observe.', 'conflict')
    return { clients: observer.report() }
  },

  'GET /search-index': () => searchIndex.state(),

  'POST /search-index/rebuild': async ({ request: { id, log }, reply, audited }) => {
    await audited(() => searchIndex.rebuild())
    const settled = (onProgress: (progress: ImportProgress) => void) =>
      searchIndex.settle((progress) => onProgress({ phase: 'embedding', ...progress }))
    return reply.type('application/x-ndjson').send(ndjsonProgress(settled, { id, log }))
  }
})
