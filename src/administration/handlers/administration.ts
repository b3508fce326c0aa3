/** Handlers for administrators: people, service accounts, invitations and the state of the server. */
import type { PersonEntry, ServiceAccountEntry } from '../../db/people/sql-people.js'
import { SERVER } from '../../config/server-info.js'
import { Refusal } from '../../lib/errors.js'
import type { HandlersOf } from '../handler.js'
import type { administrationOperations } from '../operations/administration.js'
import { requireKnownWorkspace } from '../visible-workspaces.js'
import type { StreamOperation } from './imports.js'
import type { PageDeps } from '../page-deps.js'

type Elsewhere = StreamOperation | `${string} /admin/credentials${string}`

const STARTED_AT = new Date(Date.now() - process.uptime() * 1000).toISOString()

export const administrationHandlers = (
  deps: PageDeps
): HandlersOf<typeof administrationOperations, Exclude<keyof typeof administrationOperations, Elsewhere>> => {
  const { api, directory, invitations } = deps
  const { people, workspaces } = api

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

    'GET /admin/status': async () => {
      const { searchIndex, valkey } = deps
      const [{ version, size_bytes: sizeBytes, replicas, ...records }, index, ready = true] = await Promise.all([
        api.status(), searchIndex.state(), deps.databaseReady?.()
      ])
      return {
        server: {
          name: SERVER.name,
          version: SERVER.version,
          node: process.version,
          endpoint: deps.endpoint(),
          public_url: deps.config.publicUrl ?? null,
          started_at: STARTED_AT
        },
        replicas: {
          count: api.embedded ? 1 : Math.max(1, replicas),
          shared_state: valkey ? 'valkey' : 'none',
          shared_state_available: !valkey?.away
        },
        database: { kind: api.embedded ? 'embedded' : 'postgresql', version, size_bytes: sizeBytes, ready },
        records,
        search_index: index,
        sign_in: deps.signIn(),
        audit: { retention_days: deps.config.auditRetentionDays ?? null }
      }
    },

    'GET /invitations': async ({ query }) => {
      const { items, ...rest } = await invitations.list(query)
      return { invitations: items, ...rest }
    },

    'POST /invitations': async ({ body, person: { user }, note }) => {
      const { email, server_admin: serverAdmin, memberships } = body
      const { invitation, token } = await invitations.create({ email, serverAdmin, memberships, invitedBy: user.id })
      note({ target: `${invitation.id} ${email}` })
      // In the fragment the token reaches no log and no preview of the link.
      return { ...invitation, url: `${deps.pages()}/sign-in#invitation=${token}` }
    },

    'DELETE /invitations/:id': async ({ params: { id }, note }) => {
      note({ target: id })
      const revoked = await invitations.revoke(id)
      note({ target: `${id} ${revoked.email}` })
      return revoked
    }
  }
}

/** Names of the fields that are changed, with what booleans become. */
const changesOf = (change: Record<string, string | boolean | undefined>): string[] =>
  Object.entries(change).flatMap(([name, value]) =>
    value === undefined ? [] : [typeof value === 'boolean' ? `${name}=${value}` : name])
