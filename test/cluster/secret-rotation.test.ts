// The key that signs session ids is replaced, replica by replica, under sessions that go on.
import t, { type Test } from 'tap'
import { build, handshake, legacy } from '../helpers/build.js'

const OLD = 'the old secret, which signed until today'
const NEW = 'the new secret, which signs from today on'

const three = async (t: Test) => {
  const first = await build(t, { sessionSecret: OLD })
  const replica = async (sessionSecret: string, sessionSecretPrevious = '') =>
    (await build(t, { sessionSecret, sessionSecretPrevious }, [], first.db)).app
  const statusOf = async (app: typeof first.app, id: string) => (await legacy(app, first.key, id, 'tools/list')).status
  return { ...first, replica, statusOf }
}

t.test('sessions of the old secret live on where it is still accepted, and end where it is not', async (t) => {
  const { app, key, replica, statusOf } = await three(t)
  const renewed = await replica(NEW, OLD)
  const old = await handshake(app, key)
  t.equal(await statusOf(renewed, old), 200)
  const fresh = await handshake(renewed, key)
  t.equal(await statusOf(renewed, fresh), 200)
  t.equal(await statusOf(app, fresh), 404, 'signed with the new one')
  const finished = await replica(NEW)
  t.equal(await statusOf(finished, fresh), 200)
  t.equal(await statusOf(finished, old), 404)
  t.equal((await renewed.inject({
    method: 'DELETE', url: '/mcp', headers: { host: 'localhost', authorization: `Bearer ${key}`, 'mcp-session-id': old }
  })).statusCode, 204)
  t.equal(await statusOf(renewed, old), 404, 'ended')
})

t.test('made known everywhere before it signs, a new secret loses no session while replicas change one by one', async (t) => {
  const { app, key, replica, statusOf } = await three(t)
  const stages = [[app, await replica(OLD, `${NEW}\n`)], [await replica(OLD, NEW), await replica(NEW, OLD)]]
  for (const replicas of stages) {
    for (const opened of replicas) {
      const id = await handshake(opened, key)
      for (const other of replicas) t.equal(await statusOf(other, id), 200)
    }
  }
})
