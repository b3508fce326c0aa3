// npm run bench:audit -- [--months=12] [--rows=500000] [--seed=1]: the audit log of a year beside an empty one, on PostgreSQL: how long a page takes with each
// filter, what it reads of which months, how many events are recorded a second, and what it costs to drop a month and to delete its rows.
import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '../../.test-build/src/db/migrate.js'
import { openPostgres } from '../../.test-build/src/db/postgres.js'
import { sqlAuditLog } from '../../.test-build/src/db/sql-audit.js'
import { seeded } from '../scale/random.mjs'
import { cpuTime } from '../test/cpu-time.mjs'
import { fillMonths, idOf, monthStart, partitionOf, SKEWED } from './audit-months.mjs'

const { values } = parseArgs({
  options: { months: { type: 'string', default: '12' }, rows: { type: 'string', default: '500000' }, seed: { type: 'string', default: '1' } }
})
const [months, rows, seed] = [Number(values.months), Number(values.rows), Number(values.seed)]
const PAGES = 200
const ROUNDS = 9
const CALLERS = 32
const EVENTS_OF_A_CALLER = 60
// The first change of a page after a checkpoint writes the whole page to the log of the database: that is over for most pages after these.
const WARM_UP_ROUNDS = 20
const DELETED_AT_ONCE = 5000
const MAX_DELETED = 500_000
// A row with its indexes, and as much again for the log of the database and for sorting.
const BYTES_OF_A_ROW = 1200

const server = process.env.TEST_DATABASE_URL
if (server === undefined) throw new Error('needs PostgreSQL: node scripts/services/run.mjs npm run bench:audit')
const { bavail, bsize } = await statfs(tmpdir())
const needed = (months + 1) * rows * BYTES_OF_A_ROW
if (bavail * bsize < needed) throw new Error(`needs ${Math.ceil(needed / 2 ** 30)} GB of disk: take fewer --months or --rows`)

const random = seeded(seed)
const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]
const sortedOf = (numbers) => numbers.sort((one, other) => one - other)
const print = (...cells) => console.log(`| ${cells.join(' | ')} |`)
const timed = async (work) => {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}

const admin = new pg.Client({ connectionString: server })
await admin.connect()
const created = []
const open = async (name) => {
  const database = `bench_audit_${name}_${process.pid}`
  await admin.query(`create database ${database}`)
  created.push(database)
  const url = Object.assign(new URL(server), { pathname: `/${database}` }).href
  const db = await openPostgres(url, { connections: 4 })
  await migrate(db)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return { db, client, audit: sqlAuditLog(db), close: () => Promise.all([db.close(), client.end()]) }
}

const FILTERS = {
  'no filter': () => ({}),
  user: () => ({ user: SKEWED.user(random()) }),
  'user with few calls': () => ({ user: idOf('b', 4990 + Math.floor(random() * 10)) }),
  credential: () => ({ credential: SKEWED.credential(random()) }),
  workspace: () => ({ workspace: SKEWED.workspace(random()) }),
  'action, of most': () => ({ action: 'tools/call' }),
  'action, 1 of 5,000': () => ({ action: 'credential/' }),
  'action, one record': () => ({ action: `resources/read service://exploration/${idOf('e', Math.floor(random() * 100_000))}` }),
  'action, none': () => ({ action: `tools/call never_${Math.floor(random() * 1e6)}` }),
  'outcome ok': () => ({ outcome: 'ok' }),
  'outcome forbidden': () => ({ outcome: 'forbidden' }),
  'outcome, 1 of 10,000': () => ({ outcome: 'unavailable' }),
  'until, any time': () => ({ until: someTime() }),
  'since and until, a day': () => {
    const until = someTime()
    return { since: new Date(Date.parse(until) - 86_400_000).toISOString(), until }
  },
  'user and action': () => ({ user: SKEWED.user(random()), action: 'resources/read' }),
  'user and outcome': () => ({ user: SKEWED.user(random()), outcome: 'error' }),
  'workspace and outcome, rare': () => ({ workspace: SKEWED.workspace(random()), outcome: 'unavailable' }),
  '20 users': () => ({ users: Array.from({ length: 20 }, () => SKEWED.user(random())) })
}
const someTime = () => new Date(Date.now() - random() * (Date.now() - monthStart(-months).getTime())).toISOString()

/** Blocks that a page reads, and the partitions in which it reads any row or index entry. */
const reads = async ({ client }, filter) => {
  let blocks = 0
  const partitions = new Set()
  const visit = (node) => {
    if (node['Actual Loops'] > 0 && node['Relation Name']?.startsWith('audit_events')) partitions.add(node['Relation Name'])
    node.Plans?.forEach(visit)
  }
  await sqlAuditLog({
    query: async (statement, parameters) => {
      const { rows: [row] } = await client.query(`explain (analyze, buffers, format json, timing off) ${statement}`, parameters)
      const { Plan: plan } = row['QUERY PLAN'][0]
      blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
      visit(plan)
      return (await client.query(statement, parameters)).rows
    }
  }).list({ limit: 100, ...filter })
  return { blocks, partitions: partitions.size }
}

const pages = async (year) => {
  console.log(`\nA page of 100 events, ${PAGES} for each filter (seed ${seed})\n`)
  print('filter', 'p50, ms', 'p95, ms', 'blocks read: median, most', 'months opened: most', 'empty log: p50, ms')
  print('---', '---', '---', '---', '---', '---')
  for (const [name, draw] of Object.entries(FILTERS)) {
    const times = { year: [], empty: [] }
    for (let n = 0; n < PAGES; n++) {
      const filter = { limit: 100, ...draw() }
      times.year.push((await timed(() => year.audit.list(filter))).ms)
      times.empty.push((await timed(() => empty.audit.list(filter))).ms)
    }
    const found = []
    for (let n = 0; n < 20; n++) found.push(await reads(year, draw()))
    const blocks = sortedOf(found.map((one) => one.blocks))
    const most = Math.max(...found.map(({ partitions }) => partitions))
    const sorted = sortedOf(times.year)
    print(name, quantile(sorted, 0.5).toFixed(1), quantile(sorted, 0.95).toFixed(1), `${quantile(blocks, 0.5)}, ${blocks.at(-1)}`, most, quantile(sortedOf(times.empty), 0.5).toFixed(1))
  }
  // The page after an event of half a year ago.
  const [last] = await year.audit.list({ limit: 1, until: monthStart(-Math.ceil(months / 2)).toISOString() })
  const times = []
  for (let n = 0; n < PAGES; n++) times.push((await timed(() => year.audit.list({ limit: 100, before: last }))).ms)
  const sorted = sortedOf(times)
  const { blocks, partitions } = await reads(year, { before: last })
  print('a later page, without a filter', quantile(sorted, 0.5).toFixed(1), quantile(sorted, 0.95).toFixed(1), blocks, partitions, '')
}

const event = (more) => ({
  user_id: SKEWED.user(random()),
  credential_id: SKEWED.credential(random()),
  credential_kind: 'api_key',
  action: 'tools/call get_exploration',
  workspace_id: SKEWED.workspace(random()),
  exploration_id: idOf('e', Math.floor(random() * 100_000)),
  outcome: 'ok',
  duration_ms: 5,
  request_id: 'r',
  client: 'claude-code/2.1.0',
  remote_address: '203.0.113.7',
  ...more
})

/** One round of callers who each wait for each of theirs: events a second, and milliseconds of processors of the database's connections. */
const recordRound = async ({ client, audit }, more) => {
  const { rows: connections } = await client.query('select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
  const cpu = () => connections.reduce((sum, { pid }) => sum + (cpuTime(pid)?.own ?? 0), 0)
  const before = cpu()
  const { ms } = await timed(() => Promise.all(Array.from({ length: CALLERS }, async () => {
    for (let n = 0; n < EVENTS_OF_A_CALLER; n++) await audit.record(event(more()))
  })))
  return { rate: CALLERS * EVENTS_OF_A_CALLER / ms * 1000, cpu: cpu() - before }
}

const inserts = async (year) => {
  console.log(`\nEvents recorded, ${CALLERS} callers who wait for each of theirs, ${ROUNDS} interleaved rounds\n`)
  print('', 'log of a year, a second', 'empty log, a second', 'ratio: median, range', 'CPU of the database for 1,000 events: log of a year, empty log, ms')
  print('---', '---', '---', '---', '---')
  for (const [name, more, warmUp] of [['of this server', () => ({}), WARM_UP_ROUNDS], ['of a gateway, with ids', () => ({ event_id: randomUUID() }), 1]]) {
    const rounds = []
    for (let round = -warmUp; round < ROUNDS; round++) {
      const yearFirst = (round & 1) === 0
      const first = await recordRound(yearFirst ? year : empty, more)
      const second = await recordRound(yearFirst ? empty : year, more)
      if (round >= 0) rounds.push(yearFirst ? { year: first, empty: second } : { year: second, empty: first })
    }
    const median = (of) => quantile(sortedOf(rounds.map(of)), 0.5)
    const ratios = sortedOf(rounds.map((round) => round.year.rate / round.empty.rate))
    const cpu = (side) => (rounds.reduce((sum, round) => sum + round[side].cpu, 0) / (ROUNDS * CALLERS * EVENTS_OF_A_CALLER) * 1000).toFixed(0)
    print(name, Math.round(median((round) => round.year.rate)), Math.round(median((round) => round.empty.rate)),
      `${quantile(ratios, 0.5).toFixed(2)}, ${ratios[0].toFixed(2)}–${ratios.at(-1).toFixed(2)}`, `${cpu('year')}, ${cpu('empty')}`)
  }
}

const retention = async ({ client }) => {
  const walOf = async (work) => {
    const lsn = async () => (await client.query('select pg_current_wal_insert_lsn() as lsn')).rows[0].lsn
    const before = await lsn()
    const took = await timed(work)
    const { rows: [{ bytes }] } = await client.query('select ($1::pg_lsn - $2::pg_lsn)::float8 as bytes', [await lsn(), before])
    return { ...took, bytes }
  }
  await client.query('checkpoint')
  const [oldest, second] = [partitionOf(monthStart(-months)), partitionOf(monthStart(1 - months))]
  const age = Math.floor((Date.now() - monthStart(1 - months).getTime()) / 86_400_000)
  const dropped = await walOf(() => client.query('select purge_audit_events($1::int, 1) as gone', [age]))
  // The rows of another month, as they would go without partitions; for large months a part of them.
  let deleted = 0
  await client.query('checkpoint')
  const rowByRow = await walOf(async () => {
    while (deleted < Math.min(rows, MAX_DELETED)) {
      await client.query('begin')
      await client.query("select set_config('audit.purging', 'on', true)")
      const { rows: [{ first, last }] } = await client.query(
        `select min(at)::text as first, max(at)::text as last from (select at from ${second} order by at limit ${DELETED_AT_ONCE}) oldest`)
      const { rowCount } = await client.query(`delete from ${second} where at >= $1::timestamptz and at <= $2::timestamptz`, [first, last])
      await client.query('commit')
      deleted += rowCount
    }
  })
  const whole = rows / deleted
  console.log(`\nA month of ${rows} events goes\n`)
  print('', 'ms', 'MB of write-ahead log')
  print('---', '---', '---')
  print(`dropped (${oldest}, ${dropped.result.rows[0].gone} rows)`, Math.round(dropped.ms), (dropped.bytes / 2 ** 20).toFixed(1))
  print(`deleted, ${DELETED_AT_ONCE} rows at a time (${deleted} measured)`, Math.round(rowByRow.ms * whole), (rowByRow.bytes * whole / 2 ** 20).toFixed(1))
}

const sizes = async ({ client }) => {
  await client.query('create extension pageinspect')
  const { rows: indexes } = await client.query(`select i.indexrelid::regclass::text as name, (select level from bt_metap(i.indexrelid::regclass::text)) as level,
    pg_size_pretty(pg_relation_size(i.indexrelid)) as size from pg_index i where i.indrelid = $1::regclass order by 1`, [partitionOf(monthStart(0))])
  const { rows: [{ size }] } = await client.query('select pg_size_pretty(sum(pg_total_relation_size(name::regclass))) as size from audit_partitions')
  console.log(`\n${(months + 1) * rows} events, ${size} with indexes. Levels of the indexes of this month above their leaves: ${indexes.map(({ name, level, size }) => `${name.replace(/^audit_events_\d+_\d+_/, '')} ${level} (${size})`).join(', ')}`)
}

let empty
try {
  const year = await open('year')
  empty = await open('empty')
  await empty.client.query('vacuum (analyze)')
  const { ms } = await timed(() => fillMonths(year.client, { months, rows, seed, progress: (n) => { process.stderr.write(`\r${n} of ${months + 1} months filled `) } }))
  console.log(`\nFilled in ${Math.round(ms / 1000)} s`)
  await sizes(year)
  await pages(year)
  await inserts(year)
  await retention(year)
  await Promise.all([year.close(), empty.close()])
} finally {
  for (const database of created) await admin.query(`drop database ${database} with (force)`)
  await admin.end()
}
process.exit()
