// No one can shut the device grant for others: codes that wait are shared out over networks.
import t, { type Test } from 'tap'
import { sqlDeviceGrants } from '../../../src/db/credentials/sql-device-grants.js'
import { build } from '../../helpers/build.js'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const SHARES = { maxPerHost: 2, maxPerSite: 4, maxWaiting: 8 }

const prepared = build(t)

const open = async (test: Test) => {
  const { db } = await prepared
  await db.query('truncate device_grants')
  const devices = sqlDeviceGrants(db, SHARES)
  const { app } = await build(test, { trustProxy: '1', deviceAuthorizationsPerMinute: '1000' }, [], db, undefined, { devices })
  const form = async (path: string, fields: Record<string, string>, address: string) => {
    const reply = await app.inject({
      method: 'POST',
      url: `/api/v1/device/${path}`,
      headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
      payload: new URLSearchParams(fields).toString()
    })
    return { status: reply.statusCode, headers: reply.headers, body: reply.json() }
  }
  const ask = (address: string) => form('authorization', { client_id: 'x' }, address)
  const poll = async (code: string, address: string): Promise<string> =>
    (await form('token', { grant_type: GRANT, device_code: code, client_id: 'x' }, address)).body.error
  const asked = async (address: string, polled = false): Promise<string> => {
    const { body: { device_code: code } } = await ask(address)
    if (polled) await poll(code, address)
    return code
  }
  return { db, devices, ask, poll, asked }
}
const WAITS = ['authorization_pending', 'slow_down']

t.test('a flood that never polls pushes out its own codes only', async (t) => {
  const { db, ask, poll, asked } = await open(t)
  const mine = await asked('198.51.100.1', true)
  const other = await asked('2001:db8:ffff:1::1', true)
  for (let n = 0; n < 30; n++) {
    const { status } = await ask(n % 2 === 0 ? `203.0.113.${n}` : `2001:db8:1:${n}::${n}`)
    t.equal(status, 200)
  }
  t.ok(WAITS.includes(await poll(mine, '198.51.100.1')))
  t.ok(WAITS.includes(await poll(other, '2001:db8:ffff:1::1')))
  t.equal((await ask('192.0.2.1')).status, 200, 'and anyone who comes now gets a code')
  const [row] = await db.query<{ count: number }>('select count(*)::int from device_grants')
  t.ok(row!.count <= SHARES.maxWaiting, 'bounded')
})

t.test('one that polls shuts the grant for its own network, not for others', async (t) => {
  const { ask, poll, asked } = await open(t)
  for (const site of ['203.0.113', '203.0.112']) {
    for (let n = 1; n <= 4; n++) t.ok(await asked(`${site}.${n}`, true))
    const { status, body, headers } = await ask(`${site}.9`)
    t.match({ status, body, headers }, {
      status: 503,
      body: { error: 'temporarily_unavailable', error_description: /of this network/ },
      headers: { 'retry-after': '1' }
    })
  }
  const mine = await asked('198.51.100.1')
  for (let n = 1; n <= 4; n++) await ask(`203.0.111.${n}`)
  t.ok(WAITS.includes(await poll(mine, '198.51.100.1')), 'of a network that has one code none is taken')
})

t.test('an address has its share of its network, an IPv6 /64 is one address', async (t) => {
  const { ask, poll, asked } = await open(t)
  const first = await asked('2001:db8:1:1::1')
  const second = await asked('2001:db8:1:1::2', true)
  t.equal((await ask('2001:db8:1:1::3')).status, 200)
  t.equal(await poll(first, '2001:db8:1:1::1'), 'invalid_grant', 'the oldest that no one polls went')
  t.ok(WAITS.includes(await poll(second, '2001:db8:1:1::2')))
  t.equal((await ask('2001:db8:1:2::1')).status, 200, 'the next /64')
})

t.test('what an administrator decided is not given up', async (t) => {
  const { devices, ask, poll } = await open(t)
  const { body } = await ask('203.0.113.1')
  await devices.deny(body.user_code)
  for (let n = 0; n < 20; n++) await ask(`203.0.113.${n % 3}`)
  t.equal(await poll(body.device_code, '203.0.113.1'), 'access_denied')
})
