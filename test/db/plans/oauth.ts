/** What connecting applications does with the database: through the routes of OAuth, else through the ports. */
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { digestOf } from '../../../src/access/credentials/prefixed-secret.js'
import type { Database } from '../../../src/db/sql/database.js'
import type { Backend } from '../../../src/server/backend.js'
import { callMcp, codeFor, connect, postForm, redeem, refresh, register, request } from '../../helpers/oauth.js'
import { createBrowser, ORIGIN } from '../../helpers/web.js'

/** `user` is the address of a person. */
export const oauth = async (
  t: Test, { app, backend, db, user }: { app: FastifyInstance, backend: Backend, db: Database, user: string }
): Promise<void> => {
  const { oauthClients: clients, connections, web } = backend
  const browser = createBrowser(app, ORIGIN)
  const { token } = await backend.signInLinks.create(user)
  t.equal((await browser.call('POST', '/sign-in/link', { token })).status, 200)

  const redirectUri = 'https://app.example/callback'
  const { body } = await register(app, { client_name: 'plans', redirect_uris: [redirectUri], grant_types: ['authorization_code', 'refresh_token'] })
  const registered = String(body['client_id'])
  const own = (await clients.create({ kind: 'preregistered', name: 'own', redirectUris: [redirectUri], refreshable: true, confidential: true }))!
  const ask = (id: string) => request({ client_id: id, redirect_uri: redirectUri })

  const tokens = await connect(app, browser, ask(registered))
  t.equal((await callMcp(app, tokens.access_token)).status, 200)
  const next = await refresh(app, tokens.refresh_token, { client_id: registered })
  t.equal(next.status, 200)
  const reused = ask(own.id)
  const code = await codeFor(browser, reused)
  for (const status of [200, 400]) t.equal((await redeem(app, code, reused, { client_secret: own.secret })).status, status)
  t.equal((await postForm(app, 'revoke', { token: next.body.access_token, client_id: registered })).status, 200)
  t.equal((await postForm(app, 'revoke', { token: next.body.refresh_token, client_id: registered })).status, 200)

  await clients.saveDocument('https://app.example/client', { client_id: 'https://app.example/client' }, 300)
  t.match(await clients.findDocument('https://app.example/client'), { fresh: true })
  const { id } = await backend.directory.findUser(user)
  const kept = await connect(app, browser, ask(registered))
  for (const status of [200, 400]) {
    t.equal((await refresh(app, kept.refresh_token, { client_id: registered })).status, status)
    // Long after, a second use ends the connection.
    await db.query("update connection_tokens set used_at = now() - interval '1 hour' where hash = $1", [digestOf(kept.refresh_token)])
  }
  await connect(app, browser, ask(registered))
  for (const who of [id, user, undefined]) {
    const [first] = await connections.list({ user: who, limit: 2 })
    await connections.list({ user: who, after: first?.id, limit: 2 })
    if (first) {
      await connections.find(first.id)
      await connections.setScope(first.id, 'read')
    }
  }
  await clients.list()
  await clients.list('preregistered')
  await clients.revoke(own.id)
  await web!.deleteExpired()
}
