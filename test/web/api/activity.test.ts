// Usage and the audit log: counted by the hour and live, own and all, with cursors and exports.
import t, { type Test } from 'tap'
import type { ResponseOf } from '../../../src/administration/operation.js'
import type { Operations } from '../../../src/administration/operations.js'
import type { Database } from '../../../src/db/sql/database.js'
import { backDated } from '../../helpers/back-dated.js'
import { modern } from '../../helpers/build.js'
import { webServer, type Browser } from '../../helpers/web.js'
import { allPages } from '../all-pages.js'

type Usage = ResponseOf<Operations['GET /usage']>
type Events = ResponseOf<Operations['GET /audit-events']>
type Created = ResponseOf<Operations['POST /keys']>

const HOUR_MS = 3_600_000

const server = await webServer(t)
const { backend, app, db } = server
const boss = await backend.directory.createUser({ email: 'boss@example.com', name: 'Boss', kind: 'person', serverAdmin: true })
const admin = await server.signIn(boss.id)
const narrow = await server.signIn(server.narrow.id)
const { body: key } = await narrow.call<Created>('POST', '/keys', { name: 'counted', scope: 'read' })
const other = await backend.credentials.createKey({ user: server.wide.id, name: 'of others', scope: 'read' })

interface Past {
  at: string
  action: string
  outcome: string
  ms: number
  user?: string
  credential?: string
  client?: string
  count?: number
}

const COLUMNS = `at, action, outcome, duration_ms, request_id, remote_address, user_id, credential_id, credential_kind,
  client, count`
const past = (owner: Database, rows: readonly Past[]): Promise<void> => {
  const values = rows.map(({ at, action, outcome, ms, user, credential, client = 'agent/1', count = 1 }) => {
    const of = `${user ? `'${user}'` : 'null'}, ${credential ? `'${credential}', 'api_key'` : 'null, null'}`
    return `('${at}', '${action}', '${outcome}', ${ms}, 'r', '-', ${of}, '${client}', ${count})`
  })
  return backDated(owner, `values ${values.join()}`, COLUMNS)
}

// Whole hours of yesterday, far from those that count as running.
const start = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 30 * HOUR_MS
const at = (hour: number, minute: number): string => new Date(start + hour * HOUR_MS + minute * 60_000).toISOString()
const mine = { user: server.narrow.id, credential: key.id }
await past(db, [
  ...Array.from({ length: 18 }, (_, index) => ({ at: at(0, index), action: 'tools/call get_exploration', outcome: 'ok', ms: 10, ...mine })),
  { at: at(0, 30), action: 'tools/call get_exploration', outcome: 'error', ms: 900, ...mine },
  { at: at(0, 31), action: 'tools/call get_exploration', outcome: 'ok', ms: 900, ...mine },
  { at: at(0, 59), action: 'tools/call find_explorations', outcome: 'ok', ms: 50, client: 'cursor/2.1', ...mine },
  { at: at(2, 0), action: 'resources/read exploration://secret-uri', outcome: 'ok', ms: 5, ...mine },
  { at: at(2, 1), action: 'tools/call <script>', outcome: 'invalid_params', ms: 1, ...mine },
  { at: at(2, 2), action: 'refused minute', outcome: 'rate_limited', ms: 0, ...mine },
  { at: at(2, 3), action: 'refused invalid', outcome: 'unauthorized', ms: 0, count: 7 },
  { at: at(2, 4), action: 'tools/call ping', outcome: 'ok', ms: 1, user: server.wide.id, credential: other.id },
  { at: at(2, 5), action: 'web/createKey', outcome: 'ok', ms: 1, ...mine },
  // Longer ago than counts are kept.
  { at: at(-100 * 24, 0), action: 'tools/call ping', outcome: 'ok', ms: 1, ...mine }
])
const range = `from=${at(0, 0)}&to=${at(4, 0)}`
const usage = async (browser: Browser, query: string) => (await browser.call<Usage>('GET', `/usage?${query}`)).body

const checks = async (t: Test): Promise<void> => {
  const own = await usage(narrow, range)
  t.same(own.series.map(({ start: hour, calls, errors, refused }) => [hour, calls, errors, refused]), [
    [at(0, 0), 21, 1, 0], [at(1, 0), 0, 0, 0], [at(2, 0), 2, 1, 1], [at(3, 0), 0, 0, 0]
  ])
  t.match(own.totals, { calls: 23, errors: 2, refused: 1 })
  t.same(own.groups.map(({ key: tool, calls, errors, values }) => [tool, calls, errors, values]), [
    ['get_exploration', 20, 1, [20, 0, 0, 0]],
    ['find_explorations', 1, 0, [1, 0, 0, 0]],
    ['resources/read', 1, 0, [0, 0, 1, 0]],
    ['tools/call', 1, 1, [0, 0, 1, 0]]
  ], 'what clients choose beyond the names of tools is not there')
  const [first] = own.groups
  t.ok(Math.abs((first?.p50_ms ?? 0) - 10) < 2.5, `p50 ${first?.p50_ms}`)
  t.ok((first?.p95_ms ?? 0) > 700, `p95 ${first?.p95_ms}`)
  t.equal(own.series[1]?.p50_ms, null)
  t.same(own.refusals, [{ reason: 'rate_limited minute', count: 1 }])
  t.same((await usage(narrow, `${range}&group=client`)).groups.map(({ label, calls }) => [label, calls]), [['agent', 22], ['cursor', 1]])
  t.same((await usage(narrow, `${range}&group=credential`)).groups.map(({ label, calls }) => [label, calls]), [['counted', 23]])
  t.same((await usage(narrow, `${range}&owner=all`)).totals.calls, 23, 'no one sees calls of others by asking for all')
  const all = await usage(admin, `${range}&owner=all`)
  t.match(all.totals, { calls: 24, errors: 2, refused: 8 })
  t.same(all.refusals, [{ reason: 'unauthorized invalid', count: 7 }, { reason: 'rate_limited minute', count: 1 }])
  t.same((await usage(admin, range)).totals.calls, 0, 'own calls are the default')
}

t.test('usage straight from the log', async (t) => {
  // The job counted what there was when the server started, which was nothing of this.
  await db.query('update usage_progress set counted_until = null')
  await db.query('delete from usage_hours')
  await checks(t)
})

t.test('the same from hours that were counted; counting again changes nothing', async (t) => {
  await Promise.all([backend.web!.api.usage.countHours(), backend.web!.api.usage.countHours()])
  t.match(await db.query('select sum(calls)::int as calls, (select counted_until > now() - interval \'80 minutes\' as recent from usage_progress) as recent from usage_hours'), [{ calls: 32, recent: true }])
  await checks(t)
  await backend.web!.api.usage.countHours()
  await checks(t)
})

t.test('days begin at midnight of the time zone; calls of this minute count', async (t) => {
  await modern(app, key.secret, 'tools/call', { name: 'ping', arguments: {} })
  const now = await usage(narrow, '')
  t.equal(now.groups.find(({ key: tool }) => tool === 'ping')?.calls, 1)
  t.ok(now.limits.some(({ credential, used }) => credential.id === key.id && used >= 1))
  const days = await usage(narrow, `from=${at(0, 0)}&by=day&time_zone=Pacific/Auckland`)
  const midnights = days.series.map(({ start: day }) => new Intl.DateTimeFormat('en-GB', { timeZone: 'Pacific/Auckland', hour: '2-digit', minute: '2-digit' }).format(new Date(day)))
  t.ok(midnights.every((time) => time === '00:00' || time === '24:00'), midnights.join())
  t.equal(days.totals.calls, 24)
  const problem = async (query: string) => (await narrow.call('GET', `/usage?${query}`)).body['detail']
  t.match(await problem('time_zone=Mars/Olympus'), /no time zone/)
  t.match(await problem(`from=${at(4, 0)}&to=${at(0, 0)}`), /empty/)
  t.match(await problem('from=2020-01-01T00:00:00Z'), /longer than 92 days/)
})

t.test('audit events page by page, own ones only, with the names that one may see', async (t) => {
  const seen = await allPages(narrow, '/audit-events?limit=7', ({ audit_events: events }: Events) => events)
  t.equal(new Set(seen.map(({ id }) => id)).size, seen.length)
  t.ok(seen.length > 25)
  t.ok(seen.every(({ user }) => user?.id === server.narrow.id))
  const times = seen.map(({ at: time }) => time)
  t.same(times, [...times].sort().reverse())
  t.match(seen.find(({ action }) => action === 'tools/call find_explorations'), {
    user: { email: server.narrow.email }, credential: { id: key.id, name: 'counted', kind: 'api_key' }, client: 'cursor/2.1'
  })
  const count = async (browser: Browser, query: string) => (await browser.call<Events>('GET', `/audit-events?limit=500&${query}`)).body.audit_events.length
  t.equal(await count(narrow, `user=${server.wide.email}`), 0)
  t.equal(await count(narrow, 'action=refused'), 1)
  t.equal(await count(admin, 'action=refused'), 2)
  t.equal(await count(admin, `user=${server.wide.email}&action=tools/call`), 1)
  t.match(await narrow.call('GET', '/audit-events?cursor=Zm9v'), { status: 422 })
})

t.test('an event about a workspace that one may not see any more has no name of it', async (t) => {
  await backend.audit.record({
    user_id: server.narrow.id,
    action: 'tools/call get_exploration',
    workspace_id: '9cbfccdf-b653-8b0c-a4c9-b4f479f9f87c',
    exploration_id: 'baa27217-6a87-8d2c-ace1-38b32c3c86a0',
    outcome: 'forbidden',
    duration_ms: 1,
    request_id: 'hidden',
    remote_address: '-'
  })
  const find = async (browser: Browser) => (await browser.call<Events>('GET', '/audit-events?outcome=forbidden')).body.audit_events[0]
  t.same((await find(narrow))?.workspace, { id: '9cbfccdf-b653-8b0c-a4c9-b4f479f9f87c' })
  t.same((await find(narrow))?.exploration, { id: 'baa27217-6a87-8d2c-ace1-38b32c3c86a0' })
  t.match(await find(await server.signIn(server.wide.id)), undefined, 'an event of others')
  t.same((await find(admin))?.exploration, { id: 'baa27217-6a87-8d2c-ace1-38b32c3c86a0' }, 'an administrator who is not a member')
  t.match(await find(admin), { workspace: { slug: 'tillpoint' } })
})

t.test('exports: everything that fits, as NDJSON and as CSV that no spreadsheet runs', async (t) => {
  await backend.audit.record({
    user_id: server.narrow.id, action: '=cmd|calc', outcome: 'ok', duration_ms: 1, request_id: 'r', client: '+1,"x"', remote_address: '-'
  })
  for (const client of ['=1', '-1', '@a', '\ta', '\n=1', '＝1', '＋1', '－1', '＠a']) {
    await backend.audit.record({
      user_id: server.narrow.id, action: 'formulas', outcome: 'ok', duration_ms: 1, request_id: 'f', client, remote_address: '127.0.0.1'
    })
  }
  const ndjson = await narrow.call('GET', '/audit-events/export')
  t.match(ndjson.headers, { 'content-type': 'application/x-ndjson', 'content-disposition': 'attachment; filename="audit-events.ndjson"' })
  const events = ndjson.text.trim().split('\n').map((line) => JSON.parse(line) as Events['audit_events'][number])
  t.ok(events.length > 25 && events.every(({ user }) => user?.id === server.narrow.id))
  const csv = await narrow.call('GET', '/audit-events/export?format=csv')
  t.match(csv.headers, { 'content-type': 'text/csv; charset=utf-8' })
  const lines = csv.text.trim().split('\r\n')
  t.match(lines[0], /^id,at,action,outcome,user_id,user_email/)
  t.equal(lines.length, events.length + 1)
  t.match(csv.text, /,'=cmd\|calc,/)
  t.match(csv.text, /,"'\+1,""x""",/)
  const formulas = lines.filter((line) => line.includes('formulas'))
  t.equal(formulas.length, 9)
  t.same(formulas.filter((line) => !/,"?'[^\w']/.test(line)), [])
})
