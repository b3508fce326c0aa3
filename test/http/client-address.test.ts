// The address of a client, its networks, and that each limit of addresses counts by them, through the front door.
// @any-node: addresses as text
// @no-services: counts of this process
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { memoryRateLimitCounter } from '../../src/access/limits/rate-limit-counter.js'
import { build, modern, post } from '../helpers/build.js'

const TRUSTING = { trustProxy: '1', failedAuthPerMinute: '3', deviceAuthorizationsPerMinute: '3' }

/** The statuses of some requests, each from an address. */
const from = async (
  addresses: string[], ask: (headers: Record<string, string>) => Promise<number>
): Promise<number[]> => {
  const statuses: number[] = []
  for (const address of addresses) statuses.push(await ask({ host: 'localhost', 'x-forwarded-for': address }))
  return statuses
}
const hosts = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n.toString(16)}`)

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
type Ask = (app: FastifyInstance, headers: Record<string, string>) => Promise<number>
const asking: ReadonlyArray<readonly [path: string, answered: number, ask: Ask]> = [
  ['/mcp', 401, async (app, headers) => (await post(app, 'wrong', '{}', headers)).status],
  ['/api/v1/token', 401, async (app, headers) => (await app.inject({ url: '/api/v1/token', headers })).statusCode],
  ['/api/v1/revoke', 200, async (app, headers) =>
    (await app.inject({ method: 'POST', url: '/api/v1/revoke', headers: { ...headers, ...FORM }, payload: 'token=x' })).statusCode],
  ['/api/v1/device/authorization', 200, async (app, headers) =>
    (await app.inject({ method: 'POST', url: '/api/v1/device/authorization', headers: { ...headers, ...FORM }, payload: 'client_id=x' })).statusCode],
  ['/api/v1/platform', 401, async (app, headers) => (await app.inject({ url: '/api/v1/platform', headers })).statusCode]
]

t.test('whatever is asked, all addresses of one IPv6 /64 are counted as one, a /48 has ten times as much, IPv4 is counted by address', async (t) => {
  const { app, audit } = await build(t, { ...TRUSTING, platformToken: 'p'.repeat(40) })
  for (const [place, [name, answered, ask]] of asking.entries()) {
    await t.test(name, async (t) => {
      const by = (headers: Record<string, string>) => ask(app, headers)
      t.same(await from(hosts(`2001:db8:a${place}:1::`, 4), by), [answered, answered, answered, 429], 'one /64')
      t.same(await from([`2001:db8:a${place}:2::1`], by), [answered], 'the next /64')
      const many = Array.from({ length: 40 }, (_, n) => `2001:db8:b${place}:${n.toString(16)}::1`)
      t.same((await from(many, by)).map((status) => status === 429), many.map((_, n) => n >= 30), 'one /48')
      t.same(await from(['1', '2', '3', '4'].map((host) => `192.0.${place}.${host}`), by), Array(4).fill(answered), 'neighbours of IPv4')
      const spellings = [`::ffff:192.0.${place}.9`, `192.0.${place}.9:4711`, `::FFFF:C000:0${place}09`, `192.0.${place}.9`]
      t.same(await from(spellings, by), [answered, answered, answered, 429], 'one address in several spellings')
    })
  }
  const forged = await from(['no address', 'another', 'none', 'and none'], asking[0]![2].bind(undefined, app))
  t.same(forged, [401, 401, 401, 429], 'what is no address is one client')
  await audit.flush()
  const recorded = new Set((await audit.list({ action: 'refused', limit: 500 })).map(({ remote_address: address }) => address))
  t.ok(recorded.has('unknown') && recorded.has('192.0.0.9'), 'the audit log has addresses, not whatever a header says')
  t.same([...recorded].filter((address) => /no address|::ffff|another/.test(address)), [])
})

t.test('a flood of addresses pushes out no count of a credential', async (t) => {
  const { app, key } = await build(t, { trustProxy: '1', rateLimitReadPerMinute: '3', failedAuthPerMinute: '1' }, [], undefined, undefined,
    { rateLimitCounter: memoryRateLimitCounter(undefined, 20) })
  const ping = async () => (await modern(app, key, 'tools/list')).status
  t.same([await ping(), await ping(), await ping(), await ping()], [200, 200, 200, 429])
  const flood = Array.from({ length: 60 }, (_, n) => `198.51.100.${n}`)
  t.ok((await from(flood, asking[0]![2].bind(undefined, app))).every((status) => status === 401))
  t.equal(await ping(), 429)
})

const FORGED = ['203.0.113.1', '203.0.113.2, 203.0.113.3', 'x', '10.0.0.9', '127.0.0.1']

const cases = {
  'no one is believed': ['false', (forged: string) => forged],
  'one proxy that appends': ['1', (forged: string) => `${forged}, 198.51.100.7`],
  'one proxy that writes it anew': ['1', () => '198.51.100.7'],
  'two proxies': ['2', (forged: string) => `${forged}, 198.51.100.7, 10.0.0.5`],
  'proxies by their networks': ['loopback, 10.0.0.0/8', (forged: string) => `${forged}, 198.51.100.7, 10.1.2.3, 10.0.0.5`]
} as const

t.test('behind proxies that append to X-Forwarded-For: what the client wrote itself counts for nothing', async (t) => {
  const { db } = await build(t)
  for (const [name, [trustProxy, header]] of Object.entries(cases)) {
    const { app, audit, log } = await build(t, { trustProxy, failedAuthPerMinute: '3' }, [], db)
    const before = (await audit.list({ action: 'refused', limit: 50 })).length
    const statuses: number[] = []
    for (const forged of FORGED) statuses.push((await post(app, 'wrong', '{}', { 'x-forwarded-for': header(forged) })).status)
    t.same(statuses, [401, 401, 401, 429, 429], `${name}: a client that forges addresses stays one client`)
    await app.close()
    const rows = (await audit.list({ action: 'refused', limit: 50 })).slice(0, -before || undefined)
    t.same([...new Set(rows.map(({ remote_address: address }) => address))], [trustProxy === 'false' ? '127.0.0.1' : '198.51.100.7'])
    t.notOk(log.some((line) => line.includes('TRUST_PROXY')))
  }
  const { app, log } = await build(t, { trustProxy: 'true', failedAuthPerMinute: '1' }, [], db)
  for (const forged of FORGED.slice(0, 2)) t.equal((await post(app, 'wrong', '{}', { 'x-forwarded-for': `${forged}, 198.51.100.7` })).status, 401)
  t.match(log.map((line) => JSON.parse(line)).find(({ msg }) => /TRUST_PROXY/.test(msg)), { level: 40 }, 'true still takes the first address, and warns')
})
