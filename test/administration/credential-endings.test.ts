// What was taken from people and clients, by the command line or in the pages, is taken again from an earlier state of the database.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { managementServer } from '../../src/administration/socket-server.js'
import { webServer } from '../helpers/web.js'

const TABLES = ['users', 'memberships', 'credentials', 'passkeys', 'web_sessions', 'invitations', 'oauth_clients'] as const
type Content = Record<typeof TABLES[number], string>

const { db, backend, wide, signIn } = await webServer(t)
const app = await managementServer(backend)
t.teardown(() => app.close())
const manage = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object | string): Promise<string> => {
  const type = typeof body === 'string' ? { 'content-type': 'application/x-ndjson' } : {}
  const reply = await app.inject({ method, url: `/api/v1${path}`, headers: { 'exploration-mcp-actor': 'ann', ...type }, ...body !== undefined && { body } })
  t.ok(reply.statusCode < 300, `${method} ${path}: ${reply.statusCode} ${reply.statusCode < 300 ? '' : reply.body}`)
  return reply.body
}
// The log itself cannot be set back: events after the state that is saved get ids that it does not have.
let last = 0
const later = (log: string): string =>
  log.replaceAll(/^\{"id":"(\d+)"/gm, (line, id: string) => Number(id) > last ? `{"id":"${Number(id) + 1e9}"` : line)
const exported = async (path: string) => later(await manage('GET', path))
const save = async (): Promise<Content> => {
  last = (await db.query<{ last: number }>('select max(id)::int as last from audit_events'))[0]!.last
  const all = await Promise.all(TABLES.map(async (table) =>
    [table, (await db.query<{ rows: string }>(`select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from ${table} t`))[0]!.rows] as const))
  return Object.fromEntries(all) as Content
}
const restore = (content: Content) => db.transaction(async (tx) => {
  for (const table of [...TABLES].reverse()) await tx.query(`delete from ${table}`)
  for (const table of TABLES) await tx.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [content[table]])
})
const replay = async (log: string) => {
  const lines = (await manage('POST', '/admin/credentials/replay', log)).trimEnd().split('\n')
  return (JSON.parse(lines.at(-1)!) as { summary: { ended: Record<string, number> } }).summary.ended
}
const passkey = async (userId: string) => (await backend.web!.passkeys.create({
  userId, name: 'Key', credentialId: randomUUID(), publicKey: new Uint8Array(1), counter: 0, transports: [], rpId: 'localhost'
})).id
const person = async (name: string, serverAdmin = false) =>
  (await backend.directory.createUser({ email: `${name}@example.com`, name, kind: 'person', serverAdmin })).id

const WORKS = `
  select (select array_agg(u.name order by u.name) from users u where u.deactivated_at is null and u.name like 'p-%') as people,
    (select array_agg(u.name order by u.name) from users u where u.server_admin and u.name like 'p-%') as admins,
    (select array_agg(u.name || ' ' || m.role order by u.name) from memberships m join users u on u.id = m.user_id where u.name like 'p-%') as members,
    (select array_agg(c.name order by c.name) from credentials c where c.revoked_at is null and c.name like 'c-%') as credentials,
    (select count(*)::int from passkeys) as passkeys,
    (select count(*)::int from web_sessions s join users u on u.id = s.user_id where u.name like 'p-%') as sessions,
    (select count(*)::int from invitations where revoked_at is null) as invitations,
    (select count(*)::int from oauth_clients where revoked_at is null) as clients`

const initial = await save()

t.test('by the command line', async (t) => {
  const [out, back, less, again, gone] = [await person('p-out'), await person('p-back'), await person('p-less', true), await person('p-again', true), await person('p-gone')]
  await person('administrator', true)
  for (const user of [out, back, less, again]) await backend.directory.addMember({ user, workspace: 'tillpoint', role: 'viewer' })
  for (const userId of [out, gone]) {
    await passkey(userId)
    await backend.web!.sessions.start({ userId, method: 'link', remoteAddress: 'here', userAgent: undefined })
  }
  const { id: client } = (await backend.oauthClients.create({ kind: 'preregistered', name: 'Tool', redirectUris: ['http://localhost/callback'], refreshable: true, confidential: false }))!
  for (const [name, id] of [['c-client', client], ['c-alone', 'https://other.example']]) {
    await db.query(`
      insert into credentials (id, kind, name, user_id, scope, hint, expires_at, client_id, client_kind, resource)
      values (gen_random_uuid(), 'connection', $1, $2, 'read', 'svc_at_', now() + interval '1 day', $3, 'registered', 'r')`, [name, back, id])
  }
  // Taken, and given again by something that the log does not name, before the state that is restored.
  const imported = await person('p-imported')
  await backend.directory.addMember({ user: imported, workspace: 'tillpoint', role: 'viewer' })
  await manage('DELETE', `/people/${imported}/memberships/tillpoint`)
  await db.query("insert into memberships select $1, id, 'viewer' from workspaces where slug = 'tillpoint'", [imported])
  const before = await save()
  const then = await db.query(WORKS)

  await manage('PATCH', `/users/${out}`, { active: false })
  await manage('PATCH', `/users/${back}`, { active: false })
  await manage('PATCH', `/users/${back}`, { active: true })
  await manage('PATCH', `/users/${less}`, { server_admin: false })
  await manage('PATCH', `/users/${again}`, { server_admin: false })
  await manage('PATCH', `/users/${again}`, { server_admin: true })
  await manage('DELETE', `/people/${less}/memberships/tillpoint`)
  await manage('DELETE', `/people/${again}/memberships/tillpoint`)
  await manage('PUT', `/people/${again}/memberships/tillpoint`, { role: 'viewer' })
  await manage('POST', `/users/${gone}/sign-out`, { passkeys: true })
  await manage('DELETE', `/oauth-clients/${client}`)
  const log = await exported('/admin/audit-events/export')
  await restore(before)
  t.same(await db.query(WORKS), then)
  t.same(await replay(log), { keys: 0, tokens: 0, connections: 1, sessions: 2 })
  t.same(await db.query(WORKS), [{
    people: ['p-again', 'p-back', 'p-gone', 'p-imported', 'p-less'],
    admins: ['p-again'],
    members: ['p-again viewer', 'p-back viewer', 'p-imported viewer', 'p-out viewer'],
    credentials: ['c-alone'],
    passkeys: 1,
    sessions: 0,
    invitations: 0,
    clients: 0
  }])
})

t.test('in the pages, from the log as a page exports it, in any order', async (t) => {
  await restore(initial)
  const [out, dead, plain, boss] = [await person('p-out'), await person('p-dead'), await person('p-plain', true), await person('p-boss', true)]
  for (const user of [out, dead, plain]) await backend.directory.addMember({ user, workspace: 'tillpoint', role: 'viewer' })
  const admin = await signIn(boss)
  const own = await passkey(boss)
  for (const [user, name] of [[dead, 'c-dead'], [plain, 'c-revoked'], [plain, 'c-kept']] as const) await backend.credentials.createKey({ user, name, scope: 'read' })
  const [{ id: key } = { id: '' }] = await db.query<{ id: string }>("select id from credentials where name = 'c-revoked'")
  const invitation = async () => (await backend.web!.invitations.create({ email: `${randomUUID()}@example.com`, serverAdmin: false, memberships: [], invitedBy: boss })).invitation.id
  const [taken] = [await invitation(), await invitation()]
  await backend.web!.sessions.start({ userId: plain, method: 'link', remoteAddress: 'there', userAgent: undefined })
  const before = await save()

  const change = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    t.equal((await admin.call(method, path, body)).status, 200, `${method} ${path}`)
  await change('PATCH', `/people/${out}`, { deactivated: true })
  await change('DELETE', `/people/${dead}`)
  await change('PATCH', `/people/${plain}`, { server_admin: false })
  await change('DELETE', `/people/${plain}/memberships/tillpoint`)
  await change('DELETE', `/admin/credentials/${key}`)
  await change('DELETE', `/invitations/${taken}`)
  await change('DELETE', `/passkeys/${own}`)
  await change('DELETE', '/sessions')
  const { text } = await admin.call('GET', '/audit-events/export?format=ndjson')
  const log = `${later(text).trimEnd().split('\n').reverse().join('\n')}\n`
  await restore(before)
  await manage('GET', '/users')
  t.same(await replay(log), { keys: 2, tokens: 0, connections: 0, sessions: 1 })
  t.same(await db.query(WORKS), [{
    people: ['p-boss', 'p-plain'],
    admins: ['p-boss'],
    members: ['p-dead viewer', 'p-out viewer'],
    credentials: ['c-kept'],
    passkeys: 0,
    sessions: 1,
    invitations: 1,
    clients: 0
  }])
})

t.test('what failed, and what a gateway reported, ends nothing', async (t) => {
  await restore(initial)
  const { id } = await backend.credentials.createKey({ user: wide.id, name: 'c', scope: 'read' })
  const event = { at: '2026-01-01T00:00:00Z', action: 'credential/revoked', outcome: 'ok', credential_id: id }
  const log = [{ ...event, outcome: 'not_found' }, { ...event, reported_by: 'a front' }, { ...event, credential_id: 'x' }, { ...event, credential_id: undefined }]
  t.same(await replay(log.map((one) => `${JSON.stringify(one)}\n`).join('')), { keys: 0, tokens: 0, connections: 0, sessions: 0 })
  t.same(await replay(`${JSON.stringify(event)}\n`), { keys: 1, tokens: 0, connections: 0, sessions: 0 })
})
