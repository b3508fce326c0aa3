// The life of credentials, refusals, retention and the export, as the audit log keeps them.
import t from 'tap'
import { sqlAuditLog } from '../../src/db/audit/sql-audit.js'
import type { AuditEvent } from '../../src/access/audit/audit-log.js'
import type { Queryable } from '../../src/db/sql/database.js'
import { build, modern, post } from '../helpers/build.js'
import { backDated } from '../helpers/back-dated.js'
import { runFirstUpkeep } from '../helpers/first-upkeep.js'

const { app, audit, credentials, people, db } = await build(t)

t.test('revoked by two people, and marked as expired twice, is on record once', async (t) => {
  const [user] = await people.listUsers()
  const { id } = await credentials.createKey({ user: user!.id, name: 'ci', scope: 'read', expiresIn: 60_000 })
  const { id: short } = await credentials.createToken({ user: user!.id, name: 'short' })
  for (const by of ['bob', 'eve']) await credentials.revoke('api_key', id, by)
  await db.query('update credentials set expires_at = now() where id = any($1)', [[id, short]])
  for (let times = 0; times < 2; times++) await credentials.markExpired()
  const life = async (credential: string) => (await audit.list({ limit: 10, credential, action: 'credential/' })).map(({ action, actor }) => [action, actor])
  t.same(await life(id), [['credential/revoked', 'bob'], ['credential/created', undefined]])
  t.same(await life(short), [['credential/expired', undefined], ['credential/created', undefined]])
})

t.test('a service account has a person as its owner, and outlives them', async (t) => {
  const [owner] = await people.listUsers()
  const account = { name: 'CI', kind: 'service_account' } as const
  const bot = await people.createUser({ ...account, email: 'ci@example.com', owner: owner!.email, by: 'ada' })
  t.match(await audit.list({ limit: 9, user: 'ci@example.com' }), [{ action: 'service_account/created', actor: 'ada' }])
  await t.rejects(people.createUser({ ...account, email: 'x@example.com', owner: 'ci@example.com' }), /owner is a person/)
  await t.rejects(people.createUser({ ...account, email: 'x@example.com', kind: 'person', owner: owner!.email }), /--kind service_account/)
  await db.query('delete from users where id = $1', [owner!.id])
  t.match((await people.listUsers()).find(({ id }) => id === bot.id), { owner: null })
})

t.test('refusals are on record, and cannot fill it', async (t) => {
  const { app, audit, key } = await build(t, { failedAuthPerMinute: '5', rateLimitReadPerMinute: '2' }, [], db)
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
  await backDated(db, "select now() - make_interval(days => n), 'old ' || n, 'ok', 0, '-', '-' from generate_series(28, 32) n")
  await runFirstUpkeep({ auditRetentionDays: 30 }, { audit, credentials, web: undefined, log: app.log })
  t.strictSame((await audit.list({ limit: 9, action: 'old' })).map(({ action }) => action).sort(), ['old 28', 'old 29'])
})

const USER = '11111111-1111-4111-8111-111111111111'
const event = (action: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  user_id: USER,
  credential_id: '22222222-2222-4222-8222-222222222222',
  credential_kind: 'api_key',
  action,
  outcome: 'ok',
  duration_ms: 1.5,
  request_id: 'r',
  remote_address: '127.0.0.1',
  ...more
})

t.test('events are committed when record resolves, and those that wait share a statement', async (t) => {
  let statements = 0
  const counting: Queryable = { query: (text, values, options) => { statements++; return db.query(text, values, options) } }
  const audit = sqlAuditLog(counting)
  const kept = async () => (await db.query("select from audit_events where action like 'batch %'")).length
  await audit.record(event('batch first'))
  t.equal(await kept(), 1)
  statements = 0
  await Promise.all(Array.from({ length: 100 }, (_, index) => audit.record(event(`batch ${index}`))))
  t.equal(await kept(), 101)
  t.equal(statements, 1, 'one for all that came together')
  t.strictSame((await audit.list({ limit: 3 })).map(({ action }) => action), ['batch 99', 'batch 98', 'batch 97'])
  t.strictSame(await audit.list({ limit: 3, since: '2999-01-01T00:00:00Z' }), [])
  t.strictSame(await audit.list({ limit: 3, user: 'nobody@example.com' }), [])
})

t.test('what a client makes up cannot spoil a row', async (t) => {
  await audit.record(event('a\0b\ud800', { client: 'x\0', workspace_id: 'no id', exploration_id: USER }))
  const [row] = await audit.list({ limit: 1 })
  t.match(row, { action: 'a\ufffdb\ufffd', client: 'x\ufffd', exploration_id: USER })
  t.notOk('workspace_id' in row!)
})

t.test('a statement that fails is told to all who wait, and the log goes on', async (t) => {
  let broken = true
  const audit = sqlAuditLog({ query: (text, values) => broken ? Promise.reject(new Error('disk full')) : db.query(text, values) })
  const outcomes = await Promise.allSettled([audit.record(event('lost')), audit.record(event('lost'))])
  t.strictSame(outcomes.map(({ status }) => status), ['rejected', 'rejected'])
  broken = false
  await audit.record(event('lost'))
  t.equal((await audit.list({ limit: 9, action: 'lost' })).length, 1)
})
