// The life of credentials, refusals, retention and the export, as the audit log keeps them.
import t from 'tap'
import { sqlAuditLog } from '../../src/db/audit/sql-audit.js'
import { openPostgres } from '../../src/db/postgres/postgres.js'
import { migrate } from '../../src/db/migrate.js'
import { admitServerRole } from '../../src/db/postgres/server-role.js'
import { build, modern, post } from '../helpers/build.js'
import { backDated } from '../helpers/back-dated.js'
import { ownDatabase, SERVER } from '../helpers/database.js'
import { runFirstUpkeep } from '../helpers/first-upkeep.js'
import { loginRole } from '../helpers/login-role.js'

t.test('created, first used, revoked, expired: once each, and by whom', async (t) => {
  const { app, audit, credentials, people, db } = await build(t)
  const [user] = await people.listUsers()
  const made = await credentials.createKey({ user: user!.id, name: 'ci', scope: 'read', by: 'ada' })
  for (let call = 0; call < 2; call++) t.equal((await modern(app, made.key, 'tools/list')).status, 200)
  await credentials.flush()
  for (const by of ['bob', 'eve']) await credentials.revoke('api_key', made.id, by)
  const life = await audit.list({ limit: 10, credential: made.id, action: 'credential/' })
  t.match(life.map(({ action, actor }) => [action, actor]).reverse(), [
    ['credential/created', 'ada'], ['credential/first_used', undefined], ['credential/revoked', 'bob']
  ])
  t.equal(life.length, 3)
  const short = await credentials.createToken({ user: user!.id, name: 'short', expiresIn: 1000 })
  const expired = async () => {
    await credentials.markExpired()
    return (await audit.list({ limit: 9, credential: short.id, action: 'credential/expired' })).length
  }
  t.equal(await expired(), 0)
  await db.query('update credentials set expires_at = now() where id = $1', [short.id])
  t.equal(await expired(), 1)
  t.equal(await expired(), 1, 'once')
})

t.test('a service account has an owner, and its beginning is on record', async (t) => {
  const { audit, people, db } = await build(t)
  const [owner] = await people.listUsers()
  const bot = await people.createUser({
    email: 'ci@example.com',
    name: 'CI',
    kind: 'service_account',
    owner: owner!.email,
    by: 'ada'
  })
  t.match((await people.listUsers()).find(({ id }) => id === bot.id), { kind: 'service_account', owner: owner!.email })
  t.match(await audit.list({ limit: 9, user: 'ci@example.com' }), [{ action: 'service_account/created', actor: 'ada' }])
  await t.rejects(people.createUser({ email: 'x@example.com', name: 'X', kind: 'service_account', owner: 'ci@example.com' }), /owner is a person/)
  await t.rejects(people.createUser({ email: 'x@example.com', name: 'X', kind: 'person', owner: owner!.email }), /--kind service_account/)
  await t.rejects(people.createUser({ email: 'x@example.com', name: 'X', kind: 'service_account', owner: 'nobody' }), /users list/)
  await db.query('delete from users where id = $1', [owner!.id])
  t.match((await people.listUsers()).find(({ id }) => id === bot.id), { owner: null }, 'outlives its owner')
})

t.test('filters', async (t) => {
  const { app, key, audit, db } = await build(t)
  const [workspace] = await db.query<{ id: string, slug: string }>('select id, slug from workspaces order by slug')
  await modern(app, key, 'tools/call', {
    name: 'find_explorations', arguments: { query: 'refund', workspace_id: workspace!.id }
  })
  await modern(app, key, 'resources/read', { uri: 'service://exploration/00000000-0000-4000-8000-000000000000' })
  t.match(await audit.list({ limit: 9, action: 'tools/call', outcome: 'ok' }), [{ action: 'tools/call find_explorations' }])
  t.match(await audit.list({ limit: 9, workspace: workspace!.slug }), [{ workspace_id: workspace!.id }])
  t.match(await audit.list({ limit: 9, outcome: 'resource_not_found' }), [{ action: /^resources\/read/ }])
  t.strictSame(await audit.list({ limit: 9, action: 'tools/call', until: '2001-01-01T00:00:00Z' }), [])
  t.strictSame(await audit.list({ limit: 9, credential: 'nobody' }), [])
})

t.test('refusals are on record, and cannot fill it', async (t) => {
  const { app, audit, key } = await build(t, { failedAuthPerMinute: '5', rateLimitReadPerMinute: '2' })
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  // A credential that worked before still passes when its address sent wrong ones.
  await modern(app, key, 'tools/list')
  for (let call = 0; call < 20; call++) await post(app, 'nonsense', ping)
  await post(app, key, ping, { origin: 'https://evil.example' })
  for (let call = 0; call < 3; call++) await modern(app, key, 'tools/list')
  await app.close()
  await audit.flush()
  const refused = await audit.list({ limit: 100, action: 'refused' })
  const of = (outcome: string) => refused.filter((event) => event.outcome === outcome)
  t.equal(of('unauthorized').reduce((sum, { count = 1 }) => sum + count, 0), 5)
  t.ok(of('unauthorized').length <= 2, 'the first, and the others as one')
  t.match(of('unauthorized')[0], { action: 'refused malformed', remote_address: '127.0.0.1' })
  t.notOk('user_id' in of('unauthorized')[0]!)
  t.equal(of('foreign_origin').length, 1)
  t.equal(of('rate_limited').filter((event) => event.credential_id !== undefined).reduce((sum, { count = 1 }) => sum + count, 0), 2)
})

t.test('all of it, page by page; what is too old goes, and nothing younger than a day', async (t) => {
  const { audit, db } = await build(t)
  await backDated(db, "select now() - make_interval(days => n / 100), 'call ' || n, 'ok', 0, '-', '-' from generate_series(1, 2500) n")
  const seen = new Set<string>()
  for await (const page of audit.all({ action: 'call' })) for (const { id } of page) seen.add(id)
  t.equal(seen.size, 2500)
  await t.rejects(audit.purge(0), /at least 1 day/)
  t.equal(await audit.purge(10), 1501)
  t.equal(await audit.purge(10), 0)
  await t.rejects(db.query('delete from audit_events'), /append-only/)
})

t.test('a server that is told how long to keep lets the rest go soon after it has started', async (t) => {
  const { app, audit, credentials, db } = await build(t)
  await backDated(db, "select now() - make_interval(days => n), 'old ' || n, 'ok', 0, '-', '-' from generate_series(28, 32) n")
  await runFirstUpkeep({ auditRetentionDays: 30 }, { audit, credentials, web: undefined, log: app.log })
  t.strictSame((await audit.list({ limit: 9, action: 'old' })).map(({ action }) => action).sort(), ['old 28', 'old 29'])
})

t.test('the server\'s own role on PostgreSQL can only append', { skip: SERVER === undefined && 'needs TEST_DATABASE_URL' }, async (t) => {
  const url = await ownDatabase(t, SERVER!)
  const owner = await openPostgres(url, { connections: 1 })
  t.teardown(() => owner.close())
  await migrate(owner)
  const { username: role, url: serverUrl } = await loginRole(t, url)
  await admitServerRole(owner, role, 1)
  await t.rejects(admitServerRole(owner, 'no one at all'), /no role/)
  const server = await openPostgres(serverUrl, { connections: 1 })
  t.teardown(() => server.close())
  t.same(await server.query('select current_user::text as me'), [{ me: role }])
  await migrate(server)
  const audit = sqlAuditLog(server)
  await audit.record({ action: 'call', outcome: 'ok', duration_ms: 1, request_id: 'r', remote_address: '::1' })
  t.equal((await audit.list({ limit: 9 })).length, 1)
  for (const statement of ['update audit_events set count = 2', 'delete from audit_events', 'truncate audit_events', 'drop table audit_events',
    'alter table audit_events disable trigger all', 'create table other (id int)']) {
    await t.rejects(server.transaction(async (tx) => {
      await tx.query("select set_config('audit.purging', 'on', true)")
      await tx.query(statement)
    }), /permission denied|must be owner/, statement)
  }
  t.equal(await audit.purge(1), 0, 'what it may let go is older than a day')
})
