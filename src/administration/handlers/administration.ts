/** Handlers for administrators: people, service accounts and the state of the server. */
import type { PersonEntry, ServiceAccountEntry } from '../../db/people/sql-people.js'
import { Refusal } from '../../lib/errors.js'
import type { HandlersOf } from '../handler.js'
import type { administrationOperations } from '../operations/administration.js'
import { statusView } from '../views/status-view.js'
import { requireKnownWorkspace } from '../visible-workspaces.js'
import type { PageDeps } from '../page-deps.js'

type Elsewhere =
  'POST /imports' | 'GET /export' | 'POST /plan-imports' | 'GET /plan-changes' | `${string} /admin/credentials${string}`

/** Returns the handlers by method and path. */
export const administrationHandlers = (
  deps: PageDeps
): HandlersOf<typeof administrationOperations, Exclude<keyof typeof administrationOperations, Elsewhere>> => {
  const { directory, web: { people, workspaces } } = deps

  const requirePerson = async (user: string): Promise<PersonEntry> => {
    const entry = await people.find(user)
    if (!entry) throw new Refusal('There is no person with this id or e-mail address.', 'not_found')
    return entry
  }

  const requireServiceAccount = async (user: string): Promise<ServiceAccountEntry> => {
    const account = await people.findServiceAccount(user)
    if (!account) throw new Refusal('There is no service account with this id or e-mail address.', 'not_found')
    return account
  }

  return {
    'GET /people': async ({ query: { q, cursor, limit = 100 } }) => {
      const { items, ...rest } = await people.list(q, { cursor, limit })
      return { people: items, ...rest }
    },

    'GET /people/:id': ({ params: { id } }) => requirePerson(id),

    'POST /people': async ({ body: { email, name, server_admin: serverAdmin, memberships = [] }, person, note }) => {
      // All workspaces are known before the person is added.
      const entries = await Promise.all(memberships.map(({ workspace }) =>
        requireKnownWorkspace(workspaces, person, workspace)))
      const by = person.user.email
      const { id } = await directory.createUser({ email, name: name.trim(), kind: 'person', serverAdmin, by })
      note({ target: id })
      for (const [index, { role }] of memberships.entries()) {
        const workspace = entries[index]
        if (workspace) await directory.addMember({ user: id, workspace: workspace.id, role })
      }
      return requirePerson(id)
    },

    'PATCH /people/:id': async ({ params, body: { name, server_admin: serverAdmin, deactivated }, person, note }) => {
      const { id } = await requirePerson(params.id)
      note({ target: [id, ...changesOf({ name, server_admin: serverAdmin, deactivated })].join(' ') })
      if (deactivated === true && id === person.user.id) {
        throw new Refusal('You cannot deactivate yourself: ask another server administrator.', 'conflict')
      }
      if (serverAdmin !== undefined || deactivated !== undefined) {
        const active = deactivated === undefined ? undefined : !deactivated
        await directory.changeUser({ user: id, serverAdmin, active })
      }
      if (name !== undefined) await people.rename(id, name.trim())
      return requirePerson(id)
    },

    'DELETE /people/:id': async ({ params, person, note }) => {
      const entry = await requirePerson(params.id)
      note({ target: entry.id })
      if (entry.id === person.user.id) {
        throw new Refusal('You cannot delete yourself: ask another server administrator.', 'conflict')
      }
      await people.deletePerson(entry.id)
      return entry
    },

    'GET /service-accounts': async ({ person, access }) =>
      ({ service_accounts: await people.serviceAccounts(access.all ? undefined : person.user.id) }),

    'POST /service-accounts': async ({ body: { email, name, owner }, person, note }) => {
      const { id } = await directory.createUser({
        email, name: name.trim(), kind: 'service_account', owner: owner ?? person.user.id, by: person.user.email
      })
      note({ target: id })
      return requireServiceAccount(id)
    },

    'PATCH /service-accounts/:id': async ({ params, body: { name, owner, deactivated }, note }) => {
      const { id } = await requireServiceAccount(params.id)
      note({ target: [id, ...changesOf({ name, owner, deactivated })].join(' ') })
      if (owner !== undefined) await people.setOwner(id, (await requirePerson(owner)).id)
      if (deactivated !== undefined) await directory.changeUser({ user: id, active: !deactivated })
      if (name !== undefined) await people.rename(id, name.trim())
      return requireServiceAccount(id)
    },

    'GET /admin/status': ({ request }) => statusView(deps, request)
  }
}

/** Names of the fields that are changed, with what booleans become. */
const changesOf = (change: Record<string, string | boolean | undefined>): string[] =>
  Object.entries(change).flatMap(([name, value]) =>
    value === undefined ? [] : [typeof value === 'boolean' ? `${name}=${value}` : name])
