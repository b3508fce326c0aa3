// Whom the server takes a client for, behind proxies that append to X-Forwarded-For: what the client wrote itself counts for nothing.
// @no-services: addresses
import t, { type Test } from 'tap'
import { build, post, type Server } from '../helpers/build.js'

const FORGED = ['203.0.113.1', '203.0.113.2, 203.0.113.3', 'x', '10.0.0.9', '127.0.0.1']

const cases = {
  'no one is believed': ['false', (forged: string) => forged],
  'one proxy that appends': ['1', (forged: string) => `${forged}, 198.51.100.7`],
  'one proxy that writes it anew': ['1', () => '198.51.100.7'],
  'two proxies': ['2', (forged: string) => `${forged}, 198.51.100.7, 10.0.0.5`],
  'proxies by their networks': ['loopback, 10.0.0.0/8', (forged: string) => `${forged}, 198.51.100.7, 10.1.2.3, 10.0.0.5`]
} as const

const prepared = build(t)
const refused = ({ list }: Server['audit']) => list({ action: 'refused', limit: 50 })
const another = async (test: Test, flags: Record<string, string>): Promise<Server> =>
  build(test, flags, [], (await prepared).db)

for (const [name, [trustProxy, header]] of Object.entries(cases)) {
  t.test(`${name}: a client that forges addresses stays one client`, async (t) => {
    const before = await refused((await prepared).audit)
    const { app, audit, log } = await another(t, { trustProxy, failedAuthPerMinute: '3' })
    const statuses: number[] = []
    for (const forged of FORGED) statuses.push((await post(app, 'wrong', '{}', { 'x-forwarded-for': header(forged) })).status)
    t.same(statuses, [401, 401, 401, 429, 429])
    await app.close()
    const addresses = new Set((await refused(audit)).slice(0, -before.length || undefined).map(({ remote_address: address }) => address))
    t.same([...addresses], [trustProxy === 'false' ? '127.0.0.1' : '198.51.100.7'])
    t.notOk(log.some((line) => line.includes('TRUST_PROXY')))
  })
}

t.test('true still takes the first address, and warns at the start', async (t) => {
  const { app, log } = await another(t, { trustProxy: 'true', failedAuthPerMinute: '1' })
  for (const forged of FORGED.slice(0, 2)) t.equal((await post(app, 'wrong', '{}', { 'x-forwarded-for': `${forged}, 198.51.100.7` })).status, 401)
  t.match(log.map((line) => JSON.parse(line)).find(({ msg }) => /TRUST_PROXY/.test(msg)), { level: 40 })
})
