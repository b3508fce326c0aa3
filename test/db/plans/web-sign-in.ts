/** What signing in to the web application, and everything around it, does with the database: through its routes, else through the ports. */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Database } from '../../../src/db/sql/database.js'
import type { Backend } from '../../../src/server/backend.js'
import { authenticator } from '../../helpers/authenticator.js'
import { createBrowser, ORIGIN, type WebReply } from '../../helpers/web.js'

type Json = Record<string, any> // eslint-disable-line @typescript-eslint/no-explicit-any

/** `user` is the address of a person of whom there is nothing yet. */
export const webSignIn = async (
  t: Test, { app, backend, db, user }: { app: FastifyInstance, backend: Backend, db: Database, user: string }
): Promise<void> => {
  const { directory, signInLinks } = backend
  const { sessions, passkeys, invitations, oidcIdentities } = backend.web!
  const succeed = ({ status, body }: WebReply<Json>, what: string): Json => {
    t.ok(status < 300, `${what}: ${status} ${status < 300 ? '' : JSON.stringify(body)}`)
    return body
  }
  const newBrowser = async (token?: string) => {
    const browser = createBrowser(app, ORIGIN)
    succeed(await browser.call<Json>('POST', '/sign-in/link', { token: token ?? (await signInLinks.create(user)).token }), 'signing in')
    return {
      ...browser,
      ask: async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
        succeed(await browser.call<Json>(method, path, body), `${method} ${path}`)
    }
  }

  const { id: userId } = await directory.changeUser({ user, serverAdmin: true })
  const { ask } = await newBrowser()
  await ask('POST', '/sign-in/link/lookup', { token: (await signInLinks.create(user)).token })
  await db.query("update web_sessions set last_seen_at = now() - interval '1 hour' where user_id = $1", [userId])
  await ask('GET', '/session')
  await sessions.flush()
  await ask('PATCH', '/account', { theme: 'dark', time_zone: 'Europe/Berlin' })

  await backend.web!.deleteExpired()

  const device = authenticator(ORIGIN)
  const { id } = await ask('POST', '/passkeys', { name: 'Key', response: device.create(await ask('POST', '/passkeys/options')) })
  const held = device.held[0]!
  await t.rejects(passkeys.create({
    userId, name: 'Again', credentialId: held.id.toString('base64url'), publicKey: new Uint8Array(1), counter: 0, transports: [], rpId: 'localhost'
  }))
  await ask('PATCH', `/passkeys/${id}`, { name: 'Laptop' })
  const byKey = createBrowser(app, ORIGIN)
  const options = succeed(await byKey.call<Json>('POST', '/sign-in/passkey/options'), 'options')
  succeed(await byKey.call<Json>('POST', '/sign-in/passkey', { response: device.get(options) }), 'a passkey')

  const others = [await newBrowser(), await newBrowser()]
  const { sessions: all } = await ask('GET', '/sessions')
  await ask('DELETE', `/sessions/${all.find(({ current }: Json) => !current).id}`)
  await ask('DELETE', '/sessions')
  t.ok(others.length)
  await ask('DELETE', `/passkeys/${id}`)

  const address = () => `${randomUUID()}@example.com`
  const memberships = [{ workspace: 'workspace-9', role: 'viewer' }]
  const { url } = await ask('POST', '/invitations', { email: address(), memberships })
  const token = url.split('invitation=')[1]
  const guest = createBrowser(app, ORIGIN)
  succeed(await guest.call<Json>('POST', '/invitations/lookup', { token }), 'an invitation')
  succeed(await guest.call<Json>('POST', '/sign-in/invitation', { token, name: 'New' }), 'accepting')
  t.equal(await invitations.accept(token, 'Again'), undefined)
  const { id: revoked } = await ask('POST', '/invitations', { email: address(), memberships })
  await ask('DELETE', `/invitations/${revoked}`)
  const { next_cursor: cursor } = await ask('GET', '/invitations?limit=1')
  await ask('GET', `/invitations?limit=1&cursor=${cursor}`)
  await t.rejects(directory.createUser({ email: user, name: 'Again', kind: 'person' }))

  const person = { issuer: 'https://id.example.com', subject: randomUUID(), email: address(), name: 'New' }
  const created = await oidcIdentities.resolve(person, { role: 'viewer' })
  t.same(await oidcIdentities.resolve(person), { ...created, created: false })
  t.match(await oidcIdentities.resolve({ ...person, subject: randomUUID(), email: user }), { userId })
  await oidcIdentities.applyGroups(userId, {
    roles: new Map([['workspace-8', 'editor']]), everywhere: undefined, governed: new Set(['workspace-8', 'workspace-9']), serverAdmin: true
  })

  await ask('DELETE', '/session')
  await directory.signOut({ user, passkeys: true })
}
