// The audit log by months: made ahead, read in order, let go as a whole.
import t from 'tap'
import type { AuditFilter, AuditRecord } from '../../src/access/audit/audit-log.js'
import { sqlAuditLog } from '../../src/db/audit/sql-audit.js'
import { backDated } from '../helpers/back-dated.js'
import { database, SERVER } from '../helpers/database.js'
import { partitionsOf, pastMonths } from '../helpers/past-months.js'

const EVENT = { outcome: 'ok', duration_ms: 0, request_id: 'r', remote_address: '::1' } as const

const monthStart = (months: number): Date => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
}
/** As the database writes it. */
const text = (time: Date): string => time.toISOString().slice(0, 19).replace('T', ' ')
const nameOf = (time: Date): string => `audit_events_${time.toISOString().slice(0, 7).replace('-', '_')}`

/** One for all tests that begin with the same partitions: each further one takes half a second of computing. */
const db = await database(t)
t.beforeEach(async () => {
  await db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query('delete from audit_events')
  })
})
const PAST_MONTHS = 5

await t.test('this month and the next have their partitions, and whatever comes later has one without an end', async (t) => {
  t.strictSame(await partitionsOf(db), [
    { name: 'audit_events_before_months', starts: '-infinity', ends: text(monthStart(1)) },
    { name: nameOf(monthStart(1)), starts: text(monthStart(1)), ends: text(monthStart(2)) },
    { name: nameOf(monthStart(2)), starts: text(monthStart(2)), ends: 'infinity' }
  ])
  t.equal(await sqlAuditLog(db).createPartitions(), 0)
})

await t.test('where no one made partitions for long, nothing is lost or refused', async (t) => {
  // As three months ago, when the last one was made.
  const [start, end] = [monthStart(-3), monthStart(1)]
  await db.script(`drop table ${nameOf(monthStart(2))}, ${nameOf(monthStart(1))};
    alter table audit_events detach partition audit_events_before_months;
    alter table audit_events attach partition audit_events_before_months for values from (minvalue) to ('${start.toISOString()}');
    select create_audit_partition('${start.toISOString()}', 'infinity')`)
  const audit = sqlAuditLog(db)
  await backDated(db, "select now() - make_interval(days => n), 'call', 'ok', 0, '-', '-' from generate_series(1, 60) n")
  await audit.record({ ...EVENT, action: 'call' })
  t.equal(await audit.createPartitions(), 2)
  t.equal(await audit.createPartitions(), 0)
  t.strictSame((await partitionsOf(db)).slice(1), [
    { name: nameOf(start), starts: text(start), ends: text(end) },
    { name: nameOf(end), starts: text(end), ends: text(monthStart(2)) },
    { name: nameOf(monthStart(2)), starts: text(monthStart(2)), ends: 'infinity' }
  ])
  t.equal((await audit.list({ limit: 100, action: 'call' })).length, 61)
  await t.rejects(db.query(`delete from ${nameOf(start)}`), /append-only/)
  await t.rejects(db.query("insert into audit_events (at, action, outcome, duration_ms, request_id, remote_address) values ('2026-01-01', 'x', 'ok', 0, '-', '-')"), /time of the clock/)
  // As it was.
  await db.script(`drop table ${[start, end, monthStart(2)].map(nameOf).join()};
    alter table audit_events detach partition audit_events_before_months;
    alter table audit_events attach partition audit_events_before_months for values from (minvalue) to ('${end.toISOString()}');
    select create_audit_partition('${end.toISOString()}', 'infinity'), create_audit_partitions()`)
})

await pastMonths(db, PAST_MONTHS)

t.test('every partition is guarded as the whole is, also against the owner', async (t) => {
  const audit = sqlAuditLog(db)
  await audit.record({ ...EVENT, action: 'kept' })
  const names = ['audit_events', ...(await partitionsOf(db)).map(({ name }) => name)]
  t.equal(names.length, PAST_MONTHS + 5)
  for (const name of names) {
    for (const statement of [`delete from ${name}`, `truncate ${name}`, `update ${name} set action = 'other'`]) {
      await t.rejects(db.query(statement), /append-only/, statement)
    }
  }
  await t.rejects(
    db.query("insert into audit_events (at, action, outcome, duration_ms, request_id, remote_address) values (now() - interval '40 days', 'x', 'ok', 0, '-', '-')"),
    /time of the clock/
  )
  t.match(await audit.list({ limit: 9 }), [{ action: 'kept' }])
  const unique = await db.query(`
    select p.name from audit_partitions p where not exists (
      select from pg_index i where i.indrelid = p.name::regclass and i.indisunique and pg_get_indexdef(i.indexrelid) like '%(event_id)%')`)
  t.strictSame(unique, [], 'each knows its events of gateways')
})

t.test('lists and pages go over the months in order', async (t) => {
  await backDated(db, `select now() - make_interval(hours => 17 * (n / 10)), case when n % 30 = 0 then 'rare' else 'call' end, case when n % 7 = 0 then 'error' else 'ok' end, 0, '-', '-'
    from generate_series(1, 1200) n`)
  const audit = sqlAuditLog(db)
  for (const filter of [{}, { action: 'rare' }, { outcome: 'error' }, { action: 'call', outcome: 'ok' }]) {
    const expected = (await db.query<{ id: string }>(`select id::text as id from audit_events
      where action like $1 and outcome like $2 order by at desc, audit_events.id desc`, [filter.action ?? '%', filter.outcome ?? '%'])).map(({ id }) => id)
    const found: string[] = []
    for await (const page of audit.all(filter)) found.push(...page.map(({ id }) => id))
    t.strictSame(found, expected, JSON.stringify(filter))
  }
  const all: AuditRecord[] = []
  for (let page = await audit.list({ limit: 7, action: 'rare' }); page.length > 0; page = await audit.list({ limit: 7, action: 'rare', before: all.at(-1) })) all.push(...page)
  t.equal(new Set(all.map(({ id }) => id)).size, 40, 'ten events share a time, and pages begin between them')
  t.strictSame(await audit.list({ limit: 9, before: { at: '2026-01-01T00:00:00.000Z', id: '999999999' } }), [], 'after an event that is gone')
})

t.test('rare events are found however far apart they are', async (t) => {
  const ages = [0, 1, 2, 3, 6, 7, 14, 15, 40, 100]
  await backDated(db, `select now() - make_interval(months => age), 'rare ' || age, 'ok', 0, '-', '-' from unnest(array[${ages.join()}]) age`)
  const audit = sqlAuditLog(db)
  const actions = async (filter: Partial<AuditFilter>) => (await audit.list({ limit: 50, action: 'rare', ...filter })).map(({ action }) => Number(action.slice(5)))
  t.strictSame(await actions({}), ages)
  for (const limit of [1, 2, 3, 7, 9]) t.strictSame(await actions({ limit }), ages.slice(0, limit))
  const [, second, , , fifth] = await audit.list({ limit: 50, action: 'rare' })
  t.strictSame(await actions({ before: second }), ages.slice(2))
  t.strictSame(await actions({ before: second, since: fifth!.at }), [2, 3, 6])
  t.strictSame(await actions({ until: second!.at }), ages.slice(2))
  t.strictSame(await actions({ until: '0099-01-01T00:00:00Z' }), [])
  t.strictSame(await actions({ until: '9999-12-31T23:59:59Z' }), ages)
  t.strictSame(await actions({ since: '9999-01-01T00:00:00Z' }), [])
})

t.test('a page reads the partitions that it needs, and no other', async (t) => {
  await backDated(db, "select now() - make_interval(hours => n), 'call', 'ok', 0, '-', '-' from generate_series(1, 3000) n")
  await db.script('analyze audit_events')
  const read = async (filter: AuditFilter): Promise<string[]> => {
    const names: string[] = []
    await sqlAuditLog({
      query: async <R>(statement: string, values?: readonly unknown[]) => {
        const [row] = await db.query<{ 'QUERY PLAN': Array<{ Plan: Node }> }>(`explain (analyze, format json, timing off) ${statement}`, values)
        names.push(...partitionsIn(row!['QUERY PLAN'][0]!.Plan))
        return await db.query<R>(statement, values)
      }
    }).list(filter)
    return names
  }
  await backDated(db, "select greatest(date_trunc('month', now(), 'UTC'), now() - make_interval(secs => n)), 'rare', 'ok', 0, '-', '-' from generate_series(1, 30) n")
  const later = [nameOf(monthStart(0)), nameOf(monthStart(1)), nameOf(monthStart(2))]
  t.strictSame((await read({ limit: 20, action: 'rare' })).filter((name) => !later.includes(name)), [], 'this month has enough of them')
  const ended = monthStart(-2).toISOString()
  const began = monthStart(-3).toISOString()
  t.strictSame(await read({ limit: 20, since: began, until: ended }), [nameOf(monthStart(-3))])
  const recent = await read({ limit: 2 })
  t.ok(recent.length < 5, `a short list ends in the newest: ${recent.join(' ')}`)
  const [last] = await sqlAuditLog(db).list({ limit: 1, until: ended })
  t.strictSame(await read({ limit: 20, before: last }), [nameOf(monthStart(-3)), nameOf(monthStart(-3))], 'a later page passes over later months')
})

t.test('an event that arrives again is kept once, also months later', async (t) => {
  const audit = sqlAuditLog(db)
  const [id, other] = ['33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444']
  await db.script(`alter table audit_events disable trigger stamp;
    insert into audit_events (at, action, outcome, duration_ms, request_id, remote_address, event_id) values (now() - interval '40 days', 'call', 'ok', 0, '-', '-', '${id}');
    alter table audit_events enable trigger stamp`)
  await audit.record({ ...EVENT, action: 'call', event_id: id })
  await Promise.all([other, other, other].map((event) => audit.record({ ...EVENT, action: 'call', event_id: event })))
  await Promise.all(Array.from({ length: 4 }, () => sqlAuditLog(db).record({ ...EVENT, action: 'call', event_id: other })))
  t.equal((await audit.list({ limit: 9, action: 'call' })).length, 2)
})

t.test('retention drops what is old as a whole', async (t) => {
  const audit = sqlAuditLog(db)
  await backDated(db, "select now() - make_interval(days => n), 'day ' || n, 'ok', 0, '-', '-' from generate_series(1, 170) n")
  const before = (await partitionsOf(db)).map(({ name }) => name)
  // From 90 days on: by months.
  const firstKept = new Date(Date.now() - 100 * 86_400_000)
  firstKept.setUTCDate(1)
  firstKept.setUTCHours(0, 0, 0, 0)
  const kept = Array.from({ length: 170 }, (_, n) => n + 1).filter((n) => Date.now() - n * 86_400_000 >= firstKept.getTime()).length
  t.equal(await audit.purge(100), 170 - kept)
  const after = (await partitionsOf(db)).map(({ name }) => name)
  t.strictSame(after, before.filter((name) => name >= nameOf(firstKept) && name !== 'audit_events_before_months'))
  t.match(await audit.list({ limit: 1 }), [{ action: 'audit/purged older than 100 days', count: 170 - kept }])
  t.equal(await audit.purge(100), 0)
  // Below, to the second.
  t.equal(await audit.purge(45), kept - 44)
  t.equal((await audit.list({ limit: 500, action: 'day ' })).length, 44)
  t.equal((await partitionsOf(db))[0]!.name, nameOf(new Date(Date.now() - 45 * 86_400_000)))
  await audit.record({ ...EVENT, action: 'goes on' })
  t.match(await audit.list({ limit: 1 }), [{ action: 'goes on' }])
})

t.test('upkeep waits for no reader, for writers would wait behind it', { skip: SERVER === undefined && 'needs TEST_DATABASE_URL' }, async (t) => {
  const db = await database(t)
  await pastMonths(db, 4)
  await db.script(`drop table ${nameOf(monthStart(2))}`)
  await db.script(`drop table ${nameOf(monthStart(1))}; select create_audit_partition('${monthStart(1).toISOString()}', 'infinity')`)
  const audit = sqlAuditLog(db)
  const months = (await partitionsOf(db)).length
  await db.transaction(async (reader) => {
    await reader.query('select count(*) from audit_events')
    t.equal(await audit.createPartitions(), 0)
    t.equal(await audit.purge(95), 0)
    t.equal((await partitionsOf(db)).length, months)
    await audit.record({ ...EVENT, action: 'meanwhile' })
  })
  t.equal(await audit.createPartitions(), 1)
  await audit.purge(95)
  t.ok((await partitionsOf(db)).length <= months)
  t.match(await audit.list({ limit: 1 }), [{ action: 'meanwhile' }])
})

interface Node { 'Relation Name'?: string, 'Actual Loops'?: number, Plans?: Node[] }

/** The partitions that a plan really read, newest first. */
const partitionsIn = ({ 'Relation Name': name, 'Actual Loops': loops = 0, Plans: parts = [] }: Node): string[] => [
  ...name !== undefined && loops > 0 ? [name] : [], ...parts.flatMap(partitionsIn)
]
