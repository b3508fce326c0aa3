// Usage from counts and sums is what the audit log itself says: for everybody, a workspace, some users and both, by hour and by day.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { sqlUsage } from '../../src/db/audit/sql-usage.js'
import type { UsageQuestion } from '../../src/db/audit/usage-statement.js'
import { backDated } from '../helpers/back-dated.js'
import { database } from '../helpers/database.js'

const HOUR_MS = 3_600_000
const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const hoursAgo = (hours: number): string => new Date(hour - hours * HOUR_MS).toISOString()

const db = await database(t)
const usage = sqlUsage(db)
const ids = Array.from({ length: 20 }, () => randomUUID())
const [one, other, workspace, elsewhere] = ids

const COLUMNS = `at, action, outcome, duration_ms, request_id, remote_address, user_id, credential_id, credential_kind,
  workspace_id, client, count`

// A few hundred events of five days: of two users with credentials, without a user, in two workspaces and in none.
await backDated(db, `
  select '${hoursAgo(0)}'::timestamptz - n * interval '17 minutes', (array['tools/call get_exploration', 'tools/call find_explorations', 'resources/read x', 'refused minute'])[1 + n % 4],
    (array['ok', 'ok', 'error', 'rate_limited', 'ok'])[1 + n % 5], 1 + n % 700, 'r', '-', (array['${one}', '${other}', null]::uuid[])[1 + n % 3],
    case when n % 3 < 2 then ('{${ids.join()}}'::uuid[])[1 + (n * 7) % 20] end, case when n % 3 < 2 then 'api_key' end, (array['${workspace}', '${elsewhere}', null]::uuid[])[1 + n % 7 % 3], 'agent' || n % 15, 1 + n % 2
  from generate_series(1, 400) n`, COLUMNS)

const ranges: ReadonlyArray<Pick<UsageQuestion, 'from' | 'to' | 'by' | 'timeZone'>> = [
  { from: hoursAgo(150), to: hoursAgo(-1), by: 'hour', timeZone: 'UTC' },
  { from: hoursAgo(150), to: hoursAgo(-1), by: 'day', timeZone: 'UTC' },
  { from: hoursAgo(90), to: hoursAgo(9), by: 'day', timeZone: 'America/St_Johns' },
  { from: new Date(hour - 60.4 * HOUR_MS).toISOString(), to: hoursAgo(3), by: 'hour', timeZone: 'UTC' },
  { from: hoursAgo(5), to: hoursAgo(2), by: 'hour', timeZone: 'UTC' }
]
const scopes: ReadonlyArray<Pick<UsageQuestion, 'users' | 'workspace'>> = [
  {}, { workspace }, { users: [one!] }, { users: [one!, other!] }, { users: [] }, { users: [one!, other!], workspace }
]
const groups = ['credential', 'tool', 'client'] as const
// Each range, each scope and each group with some of the others.
const questions = ranges.flatMap((range, row) => scopes.flatMap((scope, column): UsageQuestion[] =>
  (row + column) % 3 === 0 ? [{ ...range, ...scope, group: groups[column % 3] ?? 'tool' }] : []))

const ask = async (question: UsageQuestion) => {
  const { series, groups, ...rest } = await usage.ask(question)
  return {
    ...rest,
    series: [...series].sort(([one], [other]) => one < other ? -1 : 1),
    groups: groups.map(({ values, ...group }) => ({ ...group, values: [...values].sort(([one], [other]) => one < other ? -1 : 1) }))
  }
}

t.test('the same from the log, from counts, and from counts and the log together', async (t) => {
  const fromLog = await Promise.all(questions.map(ask))
  t.ok(fromLog.some(({ groupsOmitted }) => groupsOmitted > 0), 'more groups than are listed')
  t.ok(fromLog.some(({ refusals }) => refusals.length > 1))
  await usage.countHours()
  t.match(await db.query('select span, count(*)::int > 100 as many from usage_sums group by span order by span'), [{ span: 'day', many: true }, { span: 'hour', many: true }])
  for (const [index, question] of questions.entries()) t.same(await ask(question), fromLog[index], JSON.stringify(question))
  await usage.countHours()
  t.same(await ask(questions[0]!), fromLog[0], 'nothing is counted twice')
  const back = hoursAgo(30)
  for (const table of ['usage_hours where hour', 'usage_sums where start']) await db.query(`delete from ${table} >= $1::timestamptz`, [back])
  await db.query("delete from usage_sums where span = 'day' and start + interval '24 hours' > $1::timestamptz", [back])
  await db.query('update usage_progress set counted_until = $1::timestamptz', [back])
  for (const [index, question] of questions.entries()) t.same(await ask(question), fromLog[index], JSON.stringify(question))
})

t.test('counts that are older than 93 days go', async (t) => {
  await db.query("update usage_hours set hour = hour - interval '93 days'")
  await db.query("update usage_sums set start = start - interval '93 days'")
  await usage.countHours()
  t.same(await db.query("select (select count(*)::int from usage_hours where hour < now() - interval '93 days') as hours, (select count(*)::int from usage_sums where start < now() - interval '93 days') as sums"), [{ hours: 0, sums: 0 }])
})
