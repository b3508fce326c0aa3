// What the holder of a credential does with it at the public listener.
import t from 'tap'
import type { FastifyInstance } from 'fastify'
import { build, modern } from '../../helpers/build.js'

const whoAmI = async (app: FastifyInstance, token?: string) => {
  const reply = await app.inject({
    url: '/api/v1/token',
    headers: { host: 'localhost', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  })
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() }
}

const revoke = async (app: FastifyInstance, fields: Record<string, string>, headers: Record<string, string> = {}) => {
  const reply = await app.inject({
    method: 'POST',
    url: '/api/v1/revoke',
    headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString()
  })
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() }
}

const { app, credentials, people, audit, db, key, narrowKey } = await build(t)

t.test('a token tells whose it is, and ends itself', async (t) => {
  const [user] = await people.listUsers()
  const { id, token } = await credentials.createToken({ user: user!.id, name: 'laptop' })
  const known = await whoAmI(app, token)
  t.match(known, {
    status: 200,
    body: {
      id,
      kind: 'personal_access_token',
      name: 'laptop',
      user: { email: user!.email },
      workspaces: Number,
      expires_at: /Z$/
    }
  })
  t.equal(known.headers['cache-control'], 'no-store')
  t.notOk(JSON.stringify(known).includes(token))

  t.match(await revoke(app, { token, token_type_hint: 'access_token' }), { status: 200 })
  t.equal((await modern(app, token, 'tools/list')).status, 401, 'at once')
  t.match(await whoAmI(app, token), {
    status: 401,
    headers: { 'www-authenticate': /invalid_token/ },
    body: { error: 'invalid_token', error_description: /revoked/ }
  })
  t.match(await revoke(app, { token }), { status: 200 }, 'again is no error')
  const [event] = await audit.list({ credential: id, action: 'credential/revoked', limit: 5 })
  t.match(event, { actor: /^its holder, from / })
})

t.test('keys too; what is none is answered alike', async (t) => {
  t.match(await whoAmI(app, key), { body: { kind: 'api_key', scope: 'read' } })
  t.match(await revoke(app, { token: key }), { status: 200 })
  t.equal((await whoAmI(app, key)).status, 401)
  t.equal((await whoAmI(app, narrowKey)).status, 200, 'that one only')
  t.match(await revoke(app, { token: 'svc_pat_NOTHING' }), { status: 200 })
  t.match(await revoke(app, {}), { status: 400, body: { error: 'invalid_request' } })
  t.match(await whoAmI(app), { status: 401, body: { error_description: /no Authorization header/ } })
})

t.test('no page of elsewhere, and not for guessing', async (t) => {
  const { app, key } = await build(t, { failedAuthPerMinute: '2' }, [], db)
  t.match(await revoke(app, { token: key }, { origin: 'https://evil.example' }), { status: 403 })
  t.equal((await whoAmI(app, key)).status, 200)
  t.equal((await whoAmI(app, 'svc_pat_X')).status, 401)
  t.match(await whoAmI(app, key), { status: 429, headers: { 'retry-after': /^\d+$/ } })
})
