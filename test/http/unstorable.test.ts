// What no database can store is refused as the client's mistake: no 500, no -32603, no error in the log.
import t from 'tap'
import { build, handshake, legacy, modern } from '../helpers/build.js'

const BAD = ['a\0b', '\ud800', '\udc00x']

t.test('unstorable text', async (t) => {
  const token = 'p'.repeat(40)
  const { app, key, log, credentials } = await build(t, {
    logLevel: 'error', platformToken: token, rateLimitReadPerMinute: '10000', deviceAuthorizationsPerMinute: '1000'
  })
  const session = await handshake(app, key)
  for (const bad of BAD) {
    for (const method of ['resources/subscribe', 'resources/unsubscribe', 'resources/read']) {
      t.match((await legacy(app, key, session, method, { uri: `service://exploration/${bad}` })).text, /-3260[0-2]|-32002/, method)
    }
    const listening = { notifications: { resourceSubscriptions: [bad] } }
    t.equal((await modern(app, key, 'subscriptions/listen', listening)).status, 400)
  }

  const platform = (url: string, payload: object) => app.inject({
    method: 'POST', url: `/api/v1${url}`, headers: { authorization: `Bearer ${token}`, host: 'localhost' }, payload
  })
  for (const at of ['9999-99-99T00:00:00.000Z', '2026-13-40T00:00:00.000Z']) {
    const { statusCode, body } = await platform('/sessions/ended', { session_id: 'x', expires_at: at })
    t.equal(statusCode, 400, `${at}: ${body}`)
  }
  t.equal((await platform('/sessions/ended', { session_id: 'a\0b', expires_at: '2026-12-01T00:00:00.000Z' })).statusCode, 400)

  const asked = await app.inject({
    method: 'POST',
    url: '/api/v1/device/authorization',
    headers: { host: 'localhost' },
    payload: { client_id: 'c', name: ' ' }
  })
  t.equal(asked.statusCode, 200, 'a name of spaces is none')
  t.ok(credentials)
  t.same(log, [])
})
