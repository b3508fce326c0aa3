// Three replicas: each step of connecting an application on another one; and streams end on each when it is disconnected.
import t from 'tap'
import { meets } from '../conformance/requirements.js'
import { authorize, callMcp, decide, postForm, redeem, refresh, register, request } from '../helpers/oauth.js'
import { NO_SERVICES, replicas } from '../helpers/replicas.js'
import { createBrowser, ORIGIN } from '../helpers/web.js'
import { session, wireTo } from '../helpers/wire.js'

t.test('any step on any', { skip: NO_SERVICES }, async (t) => {
  meets('oauth-scope-consistent')
  // All are one address, as behind a balancer; a port is needed before one listens.
  const { apps, backend } = await replicas(t, { publicUrl: ORIGIN })
  const [person] = (await backend.directory.listUsers()).filter(({ kind, memberships }) => kind === 'person' && memberships > 0)
  const cookies: Record<string, string> = {}
  const browsers = apps.map((app) => createBrowser(app, ORIGIN, cookies))
  const { token } = await backend.signInLinks.create(person!.id)
  t.equal((await browsers[0]!.call('POST', '/sign-in/link', { token })).status, 200)
  const challenges = await Promise.all(apps.map(async (app) => (await callMcp(app, undefined)).headers['www-authenticate']))
  t.equal(new Set(challenges).size, 1)
  for (let first = 0; first < 2; first++) {
    const on = (step: number) => (first + step) % 3
    const { body } = await register(apps[on(2)]!, { redirect_uris: ['http://127.0.0.1/cb'], grant_types: ['authorization_code', 'refresh_token'] })
    const client = { client_id: String(body['client_id']) }
    const asked = request({ ...client, redirect_uri: 'http://127.0.0.1:1/cb' })
    const { ticket } = await authorize(browsers[on(0)]!, asked.query)
    const code = (await decide(browsers[on(1)]!, ticket)).searchParams.get('code') ?? ''
    const tokens = await redeem(apps[on(2)]!, code, asked)
    t.equal(tokens.status, 200)
    for (const app of apps) t.equal((await callMcp(app, tokens.body.access_token)).status, 200)
    const next = await Promise.all(Array.from({ length: 12 }, (_, n) => refresh(apps[n % 3]!, tokens.body.refresh_token, client)))
    t.same(next.map(({ status }) => status), Array(12).fill(200), 'twelve processes with the same token, on all at once')
    t.equal(new Set(next.flatMap((one) => [one.body.access_token, one.body.refresh_token])).size, 24)
    for (const { body } of next.slice(0, 3)) t.equal((await callMcp(apps[on(0)]!, body.access_token)).status, 200)
    t.equal((await refresh(apps[on(1)]!, next[0]!.body.refresh_token, client)).status, 200)
    t.equal((await postForm(apps[on(2)]!, 'revoke', { ...client, token: next[1]!.body.access_token })).status, 200)
    for (const app of apps) t.equal((await callMcp(app, next[1]!.body.access_token)).status, 401, 'revoked on one, refused on each')
    const again = await redeem(apps[on(0)]!, code, asked)
    t.equal(again.status, 400, 'a code counts as used on each')
    for (const app of apps) t.equal((await callMcp(app, tokens.body.access_token)).status, 401)
  }

  const asked = request()
  const { ticket } = await authorize(browsers[0]!, asked.query)
  const { body: { access_token: access } } = await redeem(apps[0]!, (await decide(browsers[0]!, ticket)).searchParams.get('code') ?? '', asked)
  const streams = await Promise.all(apps.map(async (app) => {
    const client = wireTo(t, `${await app.listen({ host: '127.0.0.1', port: 0 })}/oauth/mcp`, access)
    return await client.get(await session(client))
  }))
  t.same(streams.map(({ status }) => status), [200, 200, 200])
  const [connection] = await backend.connections.list({ user: person!.id, limit: 1 })
  t.equal((await browsers[1]!.call('DELETE', `/connections/${connection!.id}`)).status, 200)
  for (const stream of streams) t.same((await stream.rest()).filter(({ message }) => message), [], 'over, without a message')
})
