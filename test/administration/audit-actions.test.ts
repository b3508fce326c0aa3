/**
 * Each change by the command line (the operator's operations), and each export of records, leaves its row in the audit log, with who did
 * it; each change in the web application has an action of its own (test/web/permissions.test.ts makes them). Both tables are in
 * docs/reference/audit-matrix.md; AUDIT_MATRIX=write writes them anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { managementServer } from '../../src/administration/socket-server.js'
import type { OperationSpec } from '../../src/platform-api/client/operation.js'
import { callers } from '../../src/platform-api/client/credential-operations.js'
import { records } from '../../src/platform-api/client/record-operations.js'
import { sessions } from '../../src/platform-api/client/session-operations.js'
import type { Operation } from '../../src/administration/operation.js'
import { pageOperations as operations, socketOperations } from '../../src/administration/operations.js'
import { webServer } from '../helpers/web.js'

const PAGE = fileURLToPath(new URL('../../docs/reference/audit-matrix.md', import.meta.url))
const { backend, db, narrow, wide } = await webServer(t)
const app = await managementServer(backend)
t.teardown(() => app.close())

interface Reply { status: number, json: Record<string, string> }
const send = async (method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object | string, user?: string): Promise<Reply> => {
  const reply = await app.inject({
    method,
    url: `/api/v1${path}`,
    headers: { 'exploration-mcp-actor': 'ann', ...user !== undefined && { 'exploration-mcp-user': user }, ...typeof body === 'string' && { 'content-type': 'application/x-ndjson' } },
    ...body !== undefined && { body }
  })
  const isJson = /json;|json$/.test(String(reply.headers['content-type'])) && !reply.headers['content-type']?.toString().includes('ndjson')
  return { status: reply.statusCode, json: isJson ? reply.json() : {} }
}
const [workspace] = (await db.query<{ id: string, slug: string }>('select id, slug from workspaces order by slug'))
const deviceCode = async (): Promise<string> => (await backend.devices.request({ name: 'd', remoteAddress: '10.1.2.3' }))!.userCode

const revokedKey = await backend.credentials.createKey({ user: wide.id, name: 'revoked', scope: 'read' })
const replayedKey = await backend.credentials.createKey({ user: wide.id, name: 'replayed', scope: 'read' })
const revokedToken = await backend.credentials.createToken({ user: wide.id, name: 'revoked' })
const createClient = async (): Promise<string> => (await backend.oauthClients.create({
  kind: 'preregistered', name: 'Tool', redirectUris: ['http://localhost/callback'], refreshable: true, confidential: false
}))!.id
const [connection] = await db.query<{ id: string }>(`
  insert into credentials (id, kind, name, user_id, scope, hint, expires_at, client_id, client_kind, resource)
  values (gen_random_uuid(), 'connection', 'Tool', $1, 'read', 'svc_at_', now() + interval '1 day', 'c', 'registered', 'http://localhost/oauth/mcp')
  returning id`, [wide.id])
const [plan] = await db.query<{ exploration: string, workspace: string, group: string }>(`
  select e.id as exploration, e.workspace_id as workspace, g.id as "group" from explorations e join plan_groups g on g.exploration_id = e.id limit 1`)
await db.query("update memberships set role = 'editor' where user_id = $1", [wide.id])
const proposal = async (): Promise<string> => (await db.query<{ id: string }>(`
  insert into proposals (exploration_id, id, state, changes, base, proposed_by)
  values ($1, gen_random_uuid(), 'open', $2, '[null]', '{"user":"a@example.com"}') returning id`,
[plan!.exploration, JSON.stringify([{ kind: 'add_item', group_id: plan!.group, title: 'New' }])]))[0]!.id
await db.query(`
  insert into questions (exploration_id, position, id, question, status) values ($1, 1000000, 'q', 'Which one?', 'open')`, [plan!.exploration])
const lastChange = async (): Promise<string> => (await db.query<{ id: string }>("select max(id)::text as id from history where kind = 'item'"))[0]!.id
const decided = { user: wide.id, workspace: plan!.workspace }
const PLANS = `${JSON.stringify({ workspace: workspace!.slug, source: 's', formats: ['rfc'], folders: [''], present: [], unread: [] })}\n`

const UUID = /[\da-f]{8}-[\da-f-]{27}/

interface Row { action: string, user?: string, workspace?: string }
interface Case {
  command: string
  call: () => Promise<Reply>
  /** What is recorded, or why nothing is. */
  rows: readonly Row[] | string
}

/** By operation id. */
const cases: Record<string, Case> = {
  createUser: {
    command: 'users create',
    call: () => send('POST', '/users', { email: 'new@example.com', name: 'New', server_admin: true }),
    rows: [{ action: 'user/created' }, { action: 'user/made server administrator' }]
  },
  changeUser: {
    command: 'users set-admin, users deactivate, users activate',
    call: () => send('PATCH', `/users/${narrow.id}`, { server_admin: true, active: true }),
    rows: [{ action: 'user/made server administrator', user: narrow.id }, { action: 'user/activated', user: narrow.id }]
  },
  signOutUser: {
    command: 'users sign-out',
    call: () => send('POST', `/users/${narrow.id}/sign-out`, { passkeys: true }),
    rows: [{ action: 'user/signed out, passkeys removed', user: narrow.id }]
  },
  setMembership: {
    command: 'members add',
    call: () => send('PUT', `/people/${narrow.email}/memberships/${workspace!.slug}`, { role: 'editor' }),
    rows: [{ action: 'membership/set editor', user: narrow.id, workspace: workspace!.id }]
  },
  removeMembership: {
    command: 'members remove',
    call: () => send('DELETE', `/people/${narrow.email}/memberships/${workspace!.slug}`),
    rows: [{ action: 'membership/removed', user: narrow.id, workspace: workspace!.id }]
  },
  updateWorkspace: {
    command: 'workspaces update',
    call: () => send('PATCH', `/workspaces/${workspace!.slug}`, { agents: 'propose' }),
    rows: [{ action: 'workspace/changed agents propose', workspace: workspace!.id }]
  },
  createKey: {
    command: 'keys create',
    call: () => send('POST', '/keys', { name: 'k', scope: 'read' }, wide.id),
    rows: [{ action: 'credential/created', user: wide.id }]
  },
  revokeKey: {
    command: 'keys revoke',
    call: () => send('DELETE', `/keys/${revokedKey.id}`),
    rows: [{ action: 'credential/revoked', user: wide.id }]
  },
  createToken: {
    command: 'tokens create',
    call: () => send('POST', '/tokens', { name: 't' }, wide.id),
    rows: [{ action: 'credential/created', user: wide.id }]
  },
  revokeToken: {
    command: 'tokens revoke',
    call: () => send('DELETE', `/tokens/${revokedToken.id}`),
    rows: [{ action: 'credential/revoked', user: wide.id }]
  },
  approveDeviceForUser: {
    command: 'device approve',
    call: async () => send('POST', `/admin/devices/${await deviceCode()}/approval`, { user: wide.id }),
    rows: [{ action: 'device/approved' }]
  },
  denyDevice: {
    command: 'device deny',
    call: async () => send('POST', `/devices/${await deviceCode()}/denial`),
    rows: [{ action: 'device/denied' }]
  },
  createSignInLink: {
    command: 'sign-in-link',
    call: () => send('POST', '/sign-in-links', { user: wide.id }),
    rows: [{ action: 'sign_in_link/created', user: wide.id }]
  },
  importRecords: {
    command: 'import FILE',
    call: () => send('POST', '/imports', `${JSON.stringify({ type: 'workspace', id: '11111111-1111-4111-8111-111111111111', slug: 'brought', name: 'Brought', created_at: '2026-01-01T00:00:00Z' })}\n`),
    rows: [{ action: 'records/imported' }]
  },
  exportRecords: {
    command: 'export',
    call: () => send('GET', `/export?people=include&workspace=${workspace!.slug}`),
    rows: [{ action: 'records/exported with people', workspace: workspace!.id }]
  },
  replayRevocations: {
    command: 'credentials replay',
    call: () => send('POST', '/admin/credentials/replay', `${JSON.stringify({ at: '2026-01-01T00:00:00Z', action: 'credential/revoked', outcome: 'ok', credential_id: replayedKey.id })}\n`),
    rows: [{ action: 'credential/revoked', user: wide.id }, { action: 'credentials/replayed' }]
  },
  endCredentials: {
    command: 'credentials end',
    call: () => send('POST', '/admin/credentials/end', { issued_before: '2026-01-01T00:00:00Z' }),
    rows: [{ action: 'credentials/ended issued before 2026-01-01T00:00:00Z' }]
  },
  importPlans: {
    command: 'import PATH',
    call: () => send('POST', '/plan-imports', PLANS),
    rows: [{ action: 'plans/imported' }]
  },
  createOAuthClient: {
    command: 'clients create',
    call: () => send('POST', '/oauth-clients', { name: 'Tool', redirect_uris: ['http://localhost/callback'] }),
    rows: [{ action: 'oauth-client/created <id>' }]
  },
  revokeOAuthClient: {
    command: 'clients revoke',
    call: async () => send('DELETE', `/oauth-clients/${await createClient()}`),
    rows: [{ action: 'oauth-client/revoked <id>' }]
  },
  revokeConnection: {
    command: 'connections revoke',
    call: () => send('DELETE', `/admin/connections/${connection!.id}`),
    rows: [{ action: 'credential/revoked', user: wide.id }]
  },
  acceptProposal: {
    command: 'proposals accept',
    call: async () => send('POST', `/proposals/${await proposal()}/acceptance`, undefined, wide.id),
    rows: [{ action: 'proposal/accepted <id>', ...decided }]
  },
  dismissProposal: {
    command: 'proposals dismiss',
    call: async () => send('POST', `/proposals/${await proposal()}/dismissal`, { reason: 'No.' }, wide.id),
    rows: [{ action: 'proposal/dismissed <id>', ...decided }]
  },
  answerQuestion: {
    command: 'questions answer',
    call: () => send('POST', `/explorations/${plan!.exploration}/questions/q/answer`, { text: 'This one.' }, wide.email),
    rows: [{ action: 'question/answered', ...decided }]
  },
  undoChange: {
    command: 'undo',
    call: async () => send('POST', `/history/${await lastChange()}/undo`, undefined, wide.email),
    rows: [{ action: 'history/undone <id>', ...decided }]
  },
  rebuildSearchIndex: {
    command: 'reindex',
    call: () => send('POST', '/search-index/rebuild'),
    rows: [{ action: 'search_index/rebuilt' }]
  }
}

interface AuditRow { action: string, outcome: string, user_id: string | null, workspace_id: string | null, actor: string | null }

const newRows = async (since: string) => {
  return db.query<AuditRow>(
    'select action, outcome, user_id, workspace_id, actor from audit_events where id > $1::bigint order by id', [since])
}

const commands: string[] = []
for (const [id, { command, call, rows }] of Object.entries(cases)) {
  t.test(id, async (t) => {
    const [{ last } = { last: '0' }] = await db.query<{ last: string }>('select coalesce(max(id), 0)::text as last from audit_events')
    const { status } = await call()
    t.ok(status < 300, `answered ${status}`)
    const made = await newRows(last)
    const wanted = typeof rows === 'string' ? [] : rows
    t.same(made.map(({ action, outcome }) => `${action.replace(UUID, '<id>').replace(/ \d+$/, ' <id>')} ${outcome}`), wanted.map(({ action }) => `${action} ok`))
    for (const [index, { user, workspace }] of wanted.entries()) {
      if (user !== undefined) t.equal(made[index]?.user_id, user)
      if (workspace !== undefined) t.equal(made[index]?.workspace_id, workspace)
    }
    t.ok(made.every(({ actor }) => actor === 'ann'), 'with who did it')
    commands.push(`| \`${command.replaceAll(', ', '`, `')}\` | ${typeof rows === 'string' ? '–' : rows.map(({ action }) => `\`${action}\``).join(', ')} | ${typeof rows === 'string' ? rows : ''} |`)
  })
}

t.test('every change of the management API has a case', async (t) => {
  const { paths } = (await app.inject('/api/v1/openapi.json')).json<{ paths: Record<string, Record<string, { operationId: string }>> }>()
  const recorded = new Set(Object.values<Operation>(socketOperations).filter(({ audit }) => audit !== undefined).map(({ id }) => id))
  const platform = new Set(Object.values<OperationSpec>({ ...callers, ...records, ...sessions }).map(({ id }) => id))
  const changes = Object.values(paths).flatMap((methods) => Object.entries(methods))
    .filter(([method, { operationId }]) => (method !== 'get' || recorded.has(operationId)) && !platform.has(operationId)).map(([, { operationId }]) => operationId)
  t.same(Object.keys(cases).sort(), changes.sort())
})

const SIGN_INS: ReadonlyArray<readonly [string, string]> = [
  ['sign in', 'session/started link`, `session/started passkey`, `session/started oidc`, `session/started invitation'],
  ['sign out', 'session/ended sign-out'],
  ['accept an invitation', 'invitation/accepted'],
  ['first sign-in by the provider', 'user/created by provider'],
  ['roles by groups of the provider', 'user/roles by groups'],
  ['a refused request, a wrong link, passkey or invitation', 'refused <method> <route>']
]

t.test('the page shows it', async (t) => {
  const page = readFileSync(PAGE, 'utf8')
  const web = Object.entries<Operation>(operations).filter(([key, { audit }]) => !key.startsWith('GET ') || audit !== undefined)
    .map(([key, { id, summary }]) => `| ${summary} (\`${key}\`) | \`web/${id}\` |`)
  const tables: ReadonlyArray<readonly [RegExp, readonly string[]]> = [
    [/^\| command \|[^]*?\n\n/m, ['| command | rows | why none |', '|---|---|---|', ...commands]],
    [/^\| in the web application \|[^]*?\n\n/m, [
      '| in the web application | row |', '|---|---|', ...SIGN_INS.map(([what, action]) => `| ${what} | \`${action}\` |`), ...web
    ]]
  ]
  const written = tables.reduce((text, [table, lines]) => {
    t.match(text, table)
    return text.replace(table, () => `${lines.join('\n')}\n\n`)
  }, page)
  if (process.env['AUDIT_MATRIX'] === 'write') writeFileSync(PAGE, written)
  else t.equal(page, written, 'AUDIT_MATRIX=write node scripts/test/run.mjs test/administration/audit-actions.test.ts writes it')
})
