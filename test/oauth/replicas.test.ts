// Three replicas: each step of connecting an application on another one; and streams end on each when it is disconnected.
import t from 'tap'
import { authorize, callMcp, decide, redeem, refresh, request } from '../helpers/oauth.js'
import { NO_SERVICES, replicas } from '../helpers/replicas.js'
import { createBrowser, ORIGIN } from '../helpers/web.js'
import { session, wireTo } from '../helpers/wire.js'

t.test('any step on any', { skip: NO_SERVICES }, async (t) => {
  // All are one address, as behind a balancer; a port is needed before one listens.
  const { apps, backend } = await replicas(t, { publicUrl: ORIGIN })
  const [person] = (await backend.directory.listUsers()).filter(({ kind, memberships }) => kind === 'person' && memberships > 0)
  const cookies: Record<string, string> = {}
  const browsers = apps.map((app) => createBrowser(app, ORIGIN, cookies))
  const { token } = await backend.signInLinks.create(person!.id)
  t.equal((await browsers[0]!.call('POST', '/sign-in/link', { token })).status, 200)
  for (let first = 0; first < 3; first++) {
    const on = (step: number) => (first + step) % 3
    const asked = request()
    const { ticket } = await authorize(browsers[on(0)]!, asked.query)
    const code = (await decide(browsers[on(1)]!, ticket)).searchParams.get('code') ?? ''
    const tokens = await redeem(apps[on(2)]!, code, asked)
    t.equal(tokens.status, 200)
    for (const app of apps) t.equal((await callMcp(app, tokens.body.access_token)).status, 200)
    const next = await Promise.all(apps.map((app) => refresh(app, tokens.body.refresh_token)))
    t.same(next.map(({ status }) => status), [200, 200, 200], 'the same token on all at once')
    t.equal((await refresh(apps[on(1)]!, next[0]!.body.refresh_token)).status, 200)
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
