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

/** Answers the status. */
const send = async (method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object | string, user?: string): Promise<number> => {
  const type = typeof body === 'string' && { 'content-type': 'application/x-ndjson' }
  const headers = { 'exploration-mcp-actor': 'ann', ...user !== undefined && { 'exploration-mcp-user': user }, ...type }
  return (await app.inject({ method, url: `/api/v1${path}`, headers, ...body !== undefined && { body } })).statusCode
}
const [workspace] = (await db.query<{ id: string, slug: string }>('select id, slug from workspaces order by slug'))
const deviceCode = async (): Promise<string> => (await backend.devices.request({ name: 'd', remote_address: '10.1.2.3' }))!.user_code

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

/** What is called and recorded by operation id. */
const cases: Record<string, readonly [command: string, call: () => Promise<number>, ...rows: Row[]]> = {
  createUser: ['users create', () => send('POST', '/users', { email: 'new@example.com', name: 'New', server_admin: true }),
    { action: 'user/created' }, { action: 'user/made server administrator' }],
  changeUser: ['users set-admin, users deactivate, users activate', () => send('PATCH', `/users/${narrow.id}`, { server_admin: true, active: true }),
    { action: 'user/made server administrator', user: narrow.id }, { action: 'user/activated', user: narrow.id }],
  signOutUser: ['users sign-out', () => send('POST', `/users/${narrow.id}/sign-out`, { passkeys: true }),
    { action: 'user/signed out, passkeys removed', user: narrow.id }],
  setMembership: ['members add', () => send('PUT', `/people/${narrow.email}/memberships/${workspace!.slug}`, { role: 'editor' }),
    { action: 'membership/set editor', user: narrow.id, workspace: workspace!.id }],
  removeMembership: ['members remove', () => send('DELETE', `/people/${narrow.email}/memberships/${workspace!.slug}`),
    { action: 'membership/removed', user: narrow.id, workspace: workspace!.id }],
  updateWorkspace: ['workspaces update', () => send('PATCH', `/workspaces/${workspace!.slug}`, { agents: 'propose' }),
    { action: 'workspace/changed agents propose', workspace: workspace!.id }],
  createKey: ['keys create', () => send('POST', '/keys', { name: 'k', scope: 'read' }, wide.id), { action: 'credential/created', user: wide.id }],
  revokeKey: ['keys revoke', () => send('DELETE', `/keys/${revokedKey.id}`), { action: 'credential/revoked', user: wide.id }],
  createToken: ['tokens create', () => send('POST', '/tokens', { name: 't' }, wide.id), { action: 'credential/created', user: wide.id }],
  revokeToken: ['tokens revoke', () => send('DELETE', `/tokens/${revokedToken.id}`), { action: 'credential/revoked', user: wide.id }],
  approveDeviceForUser: ['device approve', async () => send('POST', `/admin/devices/${await deviceCode()}/approval`, { user: wide.id }),
    { action: 'device/approved' }],
  denyDevice: ['device deny', async () => send('POST', `/devices/${await deviceCode()}/denial`), { action: 'device/denied' }],
  createSignInLink: ['sign-in-link', () => send('POST', '/sign-in-links', { user: wide.id }), { action: 'sign_in_link/created', user: wide.id }],
  importRecords: ['import FILE', () => send('POST', '/imports', `${JSON.stringify({ type: 'workspace', id: '11111111-1111-4111-8111-111111111111', slug: 'brought', name: 'Brought', created_at: '2026-01-01T00:00:00Z' })}\n`),
    { action: 'records/imported' }],
  exportRecords: ['export', () => send('GET', `/export?people=include&workspace=${workspace!.slug}`),
    { action: 'records/exported with people', workspace: workspace!.id }],
  replayRevocations: ['credentials replay', () => send('POST', '/admin/credentials/replay', `${JSON.stringify({ at: '2026-01-01T00:00:00Z', action: 'credential/revoked', outcome: 'ok', credential_id: replayedKey.id })}\n`),
    { action: 'credential/revoked', user: wide.id }, { action: 'credentials/replayed' }],
  endCredentials: ['credentials end', () => send('POST', '/admin/credentials/end', { issued_before: '2026-01-01T00:00:00Z' }),
    { action: 'credentials/ended issued before 2026-01-01T00:00:00Z' }],
  importPlans: ['import PATH', () => send('POST', '/plan-imports', PLANS), { action: 'plans/imported' }],
  createOAuthClient: ['clients create', () => send('POST', '/oauth-clients', { name: 'Tool', redirect_uris: ['http://localhost/callback'] }),
    { action: 'oauth-client/created <id>' }],
  revokeOAuthClient: ['clients revoke', async () => send('DELETE', `/oauth-clients/${await createClient()}`),
    { action: 'oauth-client/revoked <id>' }],
  revokeConnection: ['connections revoke', () => send('DELETE', `/admin/connections/${connection!.id}`),
    { action: 'credential/revoked', user: wide.id }],
  acceptProposal: ['proposals accept', async () => send('POST', `/proposals/${await proposal()}/acceptance`, undefined, wide.id),
    { action: 'proposal/accepted <id>', ...decided }],
  dismissProposal: ['proposals dismiss', async () => send('POST', `/proposals/${await proposal()}/dismissal`, { reason: 'No.' }, wide.id),
    { action: 'proposal/dismissed <id>', ...decided }],
  answerQuestion: ['questions answer', () => send('POST', `/explorations/${plan!.exploration}/questions/q/answer`, { text: 'This one.' }, wide.email),
    { action: 'question/answered', ...decided }],
  undoChange: ['undo', async () => send('POST', `/history/${await lastChange()}/undo`, undefined, wide.email),
    { action: 'history/undone <id>', ...decided }],
  rebuildSearchIndex: ['reindex', () => send('POST', '/search-index/rebuild'), { action: 'search_index/rebuilt' }]
}

interface AuditRow { action: string, outcome: string, user_id: string | null, workspace_id: string | null, actor: string | null }

const commands: string[] = []
for (const [id, [command, call, ...rows]] of Object.entries(cases)) {
  t.test(id, async (t) => {
    const [{ last } = { last: '0' }] = await db.query<{ last: string }>('select coalesce(max(id), 0)::text as last from audit_events')
    const status = await call()
    t.ok(status < 300, `answered ${status}`)
    const made = await db.query<AuditRow>(
      'select action, outcome, user_id, workspace_id, actor from audit_events where id > $1::bigint order by id', [last])
    t.same(made.map(({ action, outcome }) => `${action.replace(UUID, '<id>').replace(/ \d+$/, ' <id>')} ${outcome}`), rows.map(({ action }) => `${action} ok`))
    for (const [index, { user, workspace }] of rows.entries()) {
      if (user !== undefined) t.equal(made[index]?.user_id, user)
      if (workspace !== undefined) t.equal(made[index]?.workspace_id, workspace)
    }
    t.ok(made.every(({ actor }) => actor === 'ann'), 'with who did it')
    commands.push(`| \`${command.replaceAll(', ', '`, `')}\` | ${rows.map(({ action }) => `\`${action}\``).join(', ')} |  |`)
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
