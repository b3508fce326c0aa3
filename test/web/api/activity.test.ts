// Usage and the audit log: counted by the hour and live, own and all, with cursors and exports.
import t, { type Test } from 'tap'
import type { ResponseOf } from '../../../src/administration/operation.js'
import type { Operations } from '../../../src/administration/operations.js'
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
const { browser: admin } = await server.boss()
const narrow = await server.signIn(server.narrow.id)
const { body: key } = await narrow.call<Created>('POST', '/keys', { name: 'counted', scope: 'read' })
const other = await backend.credentials.createKey({ user: server.wide.id, name: 'of others', scope: 'read' })

// Whole hours of yesterday, far from those that count as running.
const start = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 30 * HOUR_MS
const at = (hour: number, minute: number): string => new Date(start + hour * HOUR_MS + minute * 60_000).toISOString()
const mine = `'${server.narrow.id}', '${key.id}', 'api_key'`
const past = (when: string, action: string, outcome: string, ms: number, who = mine, client = 'agent/1', count = 1): string =>
  `('${when}', '${action}', '${outcome}', ${ms}, 'r', '-', ${who}, '${client}', ${count})`
await backDated(db, `values ${[
  ...Array.from({ length: 18 }, (_, index) => past(at(0, index), 'tools/call get_exploration', 'ok', 10)),
  past(at(0, 30), 'tools/call get_exploration', 'error', 900),
  past(at(0, 31), 'tools/call get_exploration', 'ok', 900),
  past(at(0, 59), 'tools/call find_explorations', 'ok', 50, mine, 'cursor/2.1'),
  past(at(2, 0), 'resources/read exploration://secret-uri', 'ok', 5),
  past(at(2, 1), 'tools/call <script>', 'invalid_params', 1),
  past(at(2, 2), 'refused minute', 'rate_limited', 0),
  past(at(2, 3), 'refused invalid', 'unauthorized', 0, 'null::uuid, null::uuid, null', 'agent/1', 7),
  past(at(2, 4), 'tools/call ping', 'ok', 1, `'${server.wide.id}', '${other.id}', 'api_key'`),
  past(at(2, 5), 'web/createKey', 'ok', 1),
  // Longer ago than counts are kept.
  past(at(-100 * 24, 0), 'tools/call ping', 'ok', 1)
].join()}`, 'at, action, outcome, duration_ms, request_id, remote_address, user_id, credential_id, credential_kind, client, count')
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

t.test('usage straight from the log, and the same from hours that were counted, also twice', async (t) => {
  // The job counted what there was when the server started, which was nothing of this.
  await db.query('update usage_progress set counted_until = null')
  await db.query('delete from usage_hours')
  await checks(t)
  const { usage } = backend.web!.api
  await Promise.all([usage.countHours(), usage.countHours()])
  await usage.countHours()
  t.match(await db.query('select sum(calls)::int as calls, (select counted_until > now() - interval \'80 minutes\' as recent from usage_progress) as recent from usage_hours'), [{ calls: 32, recent: true }])
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
  const record = (action: string, client: string) => backend.audit.record({
    user_id: server.narrow.id, action, outcome: 'ok', duration_ms: 1, request_id: 'r', client, remote_address: '127.0.0.1'
  })
  await record('=cmd|calc', '+1,"x"')
  for (const client of ['=1', '-1', '@a', '\ta', '\n=1', '＝1', '＋1', '－1', '＠a']) await record('formulas', client)
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
