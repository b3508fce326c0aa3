// The audit log: committed before it says so, shared statements, append-only.
import t from 'tap'
import type { AuditEvent } from '../../../src/access/audit/audit-log.js'
import type { Queryable } from '../../../src/db/sql/database.js'
import { sqlAuditLog } from '../../../src/db/audit/sql-audit.js'
import { database } from '../../helpers/database.js'

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
  const db = await database(t)
  let statements = 0
  const counting: Queryable = { query: (text, values, options) => { statements++; return db.query(text, values, options) } }
  const audit = sqlAuditLog(counting)
  await audit.record(event('first'))
  t.equal((await db.query('select from audit_events')).length, 1)
  statements = 0
  await Promise.all(Array.from({ length: 100 }, (_, index) => audit.record(event(`call ${index}`))))
  t.equal((await db.query('select from audit_events')).length, 101)
  t.equal(statements, 1, 'one for all that came together')
  const listed = await audit.list({ limit: 3 })
  t.strictSame(listed.map(({ action }) => action), ['call 99', 'call 98', 'call 97'])
  t.strictSame(await audit.list({ limit: 3, since: '2999-01-01T00:00:00Z' }), [])
  t.strictSame(await audit.list({ limit: 3, user: 'nobody@example.com' }), [])
})

t.test('what a client makes up cannot spoil a row', async (t) => {
  const db = await database(t)
  const audit = sqlAuditLog(db)
  await audit.record(event('a\0b\ud800', { client: 'x\0', workspace_id: 'no id', exploration_id: USER }))
  const [row] = await audit.list({ limit: 1 })
  t.match(row, { action: 'a\ufffdb\ufffd', client: 'x\ufffd', exploration_id: USER })
  t.notOk('workspace_id' in row!)
})

t.test('the past stays as it was', async (t) => {
  const db = await database(t)
  await sqlAuditLog(db).record(event('kept'))
  for (const statement of ['update audit_events set action = \'other\'', 'delete from audit_events', 'truncate audit_events']) {
    await t.rejects(db.query(statement), /append-only/)
  }
  t.equal((await db.query('select from audit_events')).length, 1)
})

t.test('a statement that fails is told to all who wait, and the log goes on', async (t) => {
  const db = await database(t)
  let broken = true
  const audit = sqlAuditLog({ query: (text, values) => broken ? Promise.reject(new Error('disk full')) : db.query(text, values) })
  const outcomes = await Promise.allSettled([audit.record(event('a')), audit.record(event('b'))])
  t.strictSame(outcomes.map(({ status }) => status), ['rejected', 'rejected'])
  broken = false
  await audit.record(event('c'))
  t.equal((await audit.list({ limit: 9 })).length, 1)
})
