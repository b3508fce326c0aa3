// The key that signs session ids is replaced, replica by replica, under sessions that go on.
import t from 'tap'
import { build, handshake, legacy } from '../helpers/build.js'

const OLD = 'the old secret, which signed until today'
const NEW = 'the new secret, which signs from today on'

t.test('sessions of a secret live on where it is accepted, before it signs and after, and end where it is not', async (t) => {
  const { app: old, key, db } = await build(t, { sessionSecret: OLD })
  const replica = async (sessionSecret: string, sessionSecretPrevious = '') => (await build(t, { sessionSecret, sessionSecretPrevious }, [], db)).app
  const [informed, renewed, finished] = [await replica(OLD, `${NEW}\n`), await replica(NEW, OLD), await replica(NEW)]
  const statusesOf = async (id: string) => await Promise.all([old, informed, renewed, finished].map(async (app) => (await legacy(app, key, id, 'tools/list')).status))
  const [before, after] = [await handshake(informed, key), await handshake(renewed, key)]
  t.same(await statusesOf(before), [200, 200, 200, 404])
  t.same(await statusesOf(after), [404, 200, 200, 200])
  const headers = { host: 'localhost', authorization: `Bearer ${key}`, 'mcp-session-id': before }
  t.equal((await renewed.inject({ method: 'DELETE', url: '/mcp', headers })).statusCode, 204)
  t.equal((await legacy(renewed, key, before, 'tools/list')).status, 404, 'ended')
})
