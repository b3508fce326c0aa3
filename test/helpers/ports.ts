/** The management ports over plain arrays: what they promise, without a database. */
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ImportSummary, ManagementPorts } from '../../src/administration/ports.js'
import type { CredentialEntry, CredentialFilter } from '../../src/db/credentials/sql-credential-list.js'
import type { WebApiStore } from '../../src/db/planning/sql-web-api.js'
import type { ClientSummary } from '../../src/access/oauth/oauth-clients.js'
import type { CredentialSummary } from '../../src/access/credentials/credentials.js'
import { mint as mintSecret } from '../../src/access/credentials/secret.js'
import { Refusal } from '../../src/lib/errors.js'
import type { StaticCredentialKind, Scope } from '../../src/lib/principal.js'
import type { Indexer } from '../../src/search/indexer.js'
import type { AuditFilter, AuditRecord } from '../../src/access/audit/audit-log.js'
import type { Membership, User } from '../../src/planning/records.js'
import { memorySessionPreferences } from '../../src/engine/eras/legacy/session-preferences.js'
import type { Store } from '../../src/planning/store.js'

export const ALPHA = '11111111-1111-4111-8111-111111111111'

export interface MemoryPorts extends ManagementPorts {
  events: AuditRecord[]
  asked: AuditFilter[]
  imported: string[]
  /** All credentials. */
  kept: readonly CredentialSummary[]
  /** How often the search index was made anew. */
  rebuilt (): number
  searchIndex: Indexer
}

export function memoryPorts (): MemoryPorts {
  const users: User[] = []
  const admins = new Set<string>()
  const owners = new Map<string, string>()
  const members: Membership[] = []
  const all: CredentialSummary[] = []
  /** Ids by secret. */
  const secrets = new Map<string, string>()
  const events: AuditRecord[] = []
  const asked: AuditFilter[] = []
  const imported: string[] = []
  let rebuilt = 0
  const user = (name: string): User => users.find(({ id, email }) => id === name || email === name) ??
    refuse(`There is no user ${name}.`)
  const workspace = (name: string): string =>
    [ALPHA, 'alpha'].includes(name) ? ALPHA : refuse(`There is no workspace ${name}.`)

  function mint (
    kind: StaticCredentialKind, of: string, name: string, scope: Scope, ids: string[] | null, expiresIn: number | undefined
  ): CredentialSummary {
    const { id, email } = user(of)
    const expires = expiresIn === undefined ? null : new Date(Date.now() + expiresIn).toISOString()
    const summary: CredentialSummary = {
      id: randomUUID(),
      kind,
      name,
      user: { id, email },
      hint: 'svc_',
      scope,
      workspace_ids: ids,
      created_at: new Date().toISOString(),
      last_used_at: null,
      expires_at: expires,
      revoked_at: null
    }
    all.push(summary)
    return summary
  }

  const entryOf = (one: CredentialSummary): CredentialEntry => ({
    ...one,
    user: { ...one.user, name: '' },
    state: one.revoked_at === null ? 'active' : 'revoked',
    created_by: null,
    last_used_from: null,
    service_account: false,
    owner_id: null
  })

  const clients: ClientSummary[] = []

  const secretOf = (kind: StaticCredentialKind, id: string): string => {
    const secret = mintSecret(kind, 'MEMORY')
    secrets.set(secret, id)
    return secret
  }

  return {
    events,
    kept: all,
    asked,
    imported,
    planChanges: {} as MemoryPorts['planChanges'],
    rebuilt: () => rebuilt,
    directory: {
      async createUser (created) {
        if (users.some(({ email }) => email === created.email)) throw new Refusal(`The address ${created.email} is taken.`, 'conflict')
        const { email, name, kind, owner } = created
        const made = { id: randomUUID(), email, name, kind }
        if (created.serverAdmin) admins.add(made.id)
        if (owner !== undefined) owners.set(made.id, user(owner).email)
        users.push(made)
        return made
      },
      async changeUser ({ user: name, serverAdmin, active }) {
        const one = user(name)
        if (serverAdmin !== undefined) admins[serverAdmin ? 'add' : 'delete'](one.id)
        return { ...one, server_admin: admins.has(one.id), deactivated_at: active === false ? new Date().toISOString() : null }
      },
      signOut: async ({ user: name }) => ({ user: user(name), sessions: 0, passkeys: 0 }),
      listUsers: async () => users.map((one) => ({
        ...one,
        server_admin: admins.has(one.id),
        deactivated_at: null,
        memberships: members.filter(({ user_id: id }) => id === one.id).length,
        owner: owners.get(one.id) ?? null
      })),
      findUser: async (name) => user(name),
      findWorkspace: async (name) => workspace(name),
      async addMember ({ user: name, workspace: of, role }) {
        const member = { user_id: user(name).id, workspace_id: workspace(of), role }
        members.push(member)
        return member
      },
      async removeMember ({ user: name, workspace: of }) {
        const index = members.findIndex((one) => one.user_id === user(name).id && one.workspace_id === workspace(of))
        return members.splice(index, 1)[0] ?? refuse(`${name} is no member of ${of}.`)
      }
    },
    oauthClients: {
      async create ({ kind, name, redirectUris, confidential, by }) {
        const made = {
          id: randomUUID(),
          kind,
          name,
          redirect_uris: [...redirectUris],
          confidential,
          created_at: new Date().toISOString(),
          created_by: by ?? null,
          last_used_at: null,
          revoked_at: null,
          connections: 0
        }
        clients.push(made)
        return { id: made.id, secret: confidential ? `svc_secret_${'A'.repeat(52)}` : undefined, created_at: made.created_at }
      },
      find: async () => undefined,
      hasSecret: async () => false,
      list: async () => clients,
      revoke: async (id) => ({ ...clients.find((one) => one.id === id) ?? refuse('There is no client.'), revoked_at: new Date().toISOString() }),
      findDocument: async () => undefined,
      saveDocument: async () => {}
    },
    connections: { list: async () => [], find: async () => undefined, setScope: async () => undefined },
    credentials: {
      async verify (secret) {
        const found = all.find(({ id, revoked_at: revoked }) => id === secrets.get(secret) && revoked === null)
        if (!found) return { refused: 'unknown' }
        const { id, kind, name, scope, expires_at: expires } = found
        return { principal: { credential: { id, kind, name, scope, expires_at: expires }, user: { ...found.user, name: '' }, workspaces: [ALPHA] } }
      },
      verifyConnection: async () => ({ refused: 'unknown' }),
      refresh: async () => undefined,
      markExpired: async () => {},
      async createKey ({ user: of, name, scope, workspaces, expiresIn }) {
        const { id, expires_at: expires } = mint('api_key', of, name, scope, workspaces?.map(workspace) ?? null, expiresIn)
        return { id, name, key: secretOf('api_key', id), scope, expires_at: expires }
      },
      async createToken ({ user: of, name, expiresIn = 31_536_000_000 }) {
        const { id, expires_at: expires } = mint('personal_access_token', of, name, 'admin', null, expiresIn)
        return { id, name, token: secretOf('personal_access_token', id), expires_at: expires! }
      },
      async requireKnown (name) {
        if (!all.some((one) => one.id === name || one.name === name)) refuse(`There is no credential ${name}.`)
      },
      async revoke (kind, id) {
        const found = all.find((one) => one.kind === kind && one.id === id) ?? refuse('There is no such credential.')
        found.revoked_at ??= new Date().toISOString()
        return found
      }
    },
    // Only what the command line reads.
    api: {
      credentials: {
        page: async ({ kind, user: of }: CredentialFilter) => ({
          items: all.filter((one) => one.kind === kind && (of === undefined || one.user.id === of)).map(entryOf).reverse()
        }),
        find: async (id: string) => all.filter((one) => one.id === id).map(entryOf)[0]
      },
      workspaces: { list: async () => [{ id: ALPHA, slug: 'alpha', name: 'Alpha' }] }
    } as unknown as WebApiStore,
    devices: {
      request: async () => undefined,
      redeem: async () => 'invalid_grant',
      find: async () => refuse('No one waits with this code.'),
      approve: async () => refuse('No one waits with this code.'),
      deny: async () => refuse('No one waits with this code.'),
      list: async () => []
    },
    signInLinks: {
      async create (name) {
        const { id, email, name: called } = user(name)
        return {
          token: `svc_link_${'A'.repeat(52)}`, expires_at: new Date(Date.now() + 900_000).toISOString(), user: { id, email, name: called }
        }
      },
      find: async () => undefined,
      redeem: async () => undefined
    },
    store: {} as Store,
    endedSessions: { has: async () => false, add: async () => {} },
    sessionPreferences: memorySessionPreferences(),
    changes: { position: async () => '0.0', after: async () => [], recentlyRevoked: async () => [], async purge () {} },
    audit: {
      async record () {},
      async list (filter) {
        asked.push(filter)
        return events.slice(0, filter.limit)
      },
      async * all (filter) {
        asked.push({ ...filter, limit: Infinity })
        for (const event of events) yield [event]
      }
    },
    auditLabels: async (ids) => ({
      users: new Map(users.map((one) => [one.id, one])),
      credentials: new Map(all.map(({ id, kind, name, hint }) => [id, { id, kind, name, hint, host: null, client_kind: null }])),
      workspaces: new Map(ids.workspaces.includes(ALPHA) ? [[ALPHA, { id: ALPHA, slug: 'alpha', name: 'Alpha' }]] : []),
      explorations: new Map()
    }),
    searchIndex: {
      async start () {},
      recordQuery () {},
      prepare () {},
      async updateWords () {},
      async close () {},
      state: async () => ({
        embedder: 'none',
        version: '1',
        state: 'complete',
        explorations: imported.length,
        pending: 0,
        answering: null
      }),
      async rebuild () { rebuilt++ },
      async settle (onProgress = () => {}) {
        onProgress({ done: imported.length, total: imported.length })
        return await this.state()
      }
    },
    async importRecords (source, onProgress): Promise<ImportSummary> {
      let done = 0
      for await (const line of createInterface({ input: Readable.from(source) })) {
        if (line === 'bad') throw new Refusal(`line ${done + 1}: not JSON`)
        if (line === 'crash') throw new Error('secret inside')
        if (line.startsWith('user ')) {
          users.push({
            id: randomUUID(), email: line.slice(5), name: line.slice(5), kind: 'person'
          })
        }
        imported.push(line)
        onProgress({ phase: 'write', done: ++done })
      }
      return { total: done, records: { user: { created: done, replaced: 0 } } }
    },
    async * exportRecords () {
      yield imported.map((line) => `${line}\n`).join('')
    },
    credentialEndings: {
      replay: async () => ({ keys: 0, tokens: 0, connections: 0, sessions: 0 }),
      endIssuedBefore: async () => ({ keys: 0, tokens: 0, connections: 0, sessions: 0 })
    },
    sourceChanges: async () => ({ sources: [], explorations: [] }),
    planPatch: async () => ({ patch: '', encoding: 'utf-8', files: [], left: [] }),
    async syncPlans () {
      return { sync: { explorations: 0, unchanged: 0, written: 0, archived: 0, renamed: 0, workspace_created: false } }
    }
  }
}

function refuse (message: string): never {
  throw new Refusal(message, 'not_found')
}
