/** What the pages of the web application read and change once someone is signed in: through their routes, else through the ports. */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Backend } from '../../../src/server/backend.js'
import { createBrowser, ORIGIN } from '../../helpers/web.js'

type Json = Record<string, any> // eslint-disable-line @typescript-eslint/no-explicit-any
type Ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => Promise<Json>

const days = (n: number): string => new Date(Date.now() - n * 86_400_000).toISOString()

/** Two pages of a list. */
const twoPages = async (ask: Ask, path: string, query = ''): Promise<void> => {
  const first = `${path}?limit=2${query}`
  const { next_cursor: cursor } = await ask('GET', first)
  if (cursor !== undefined) await ask('GET', `${first}&cursor=${cursor}`)
}

/**
 * `admin` is the address of a server administrator, `wide` that of a member of every workspace, `member` that
 * of a person who sees the exploration.
 */
export const webApi = async (
  t: Test, { app, backend, admin, wide, member, exploration }:
  { app: FastifyInstance, backend: Backend, admin: string, wide: string, member: string, exploration: string }
): Promise<void> => {
  const { directory } = backend
  const { catalog, workspaces, people, credentials, usage } = backend.web!.api
  const signIn = async (user: string): Promise<Ask> => {
    const browser = createBrowser(app, ORIGIN)
    const { token } = await backend.signInLinks.create(user)
    t.equal((await browser.call('POST', '/sign-in/link', { token })).status, 200)
    return async (method, path, body) => {
      const { status, text, body: answer } = await browser.call<Json>(method, path, body)
      t.ok(status < 300, `${method} ${path}: ${status} ${status < 300 ? '' : text}`)
      return answer
    }
  }
  const [ask, askWidely, askAsMember] = [await signIn(admin), await signIn(wide), await signIn(member)]
  const { id: user } = await directory.findUser(member)

  // Explorations
  for (const by of [askWidely, askAsMember]) {
    for (const query of ['', '&status=ready', '&tag=tag8', '&status=delivered&tag=tag14', '&sort=title', '&sort=title&tag=tag8&status=ready']) {
      await twoPages(by, '/explorations', query)
    }
    await by('GET', '/tags')
  }
  for (const path of ['/tags?workspace=workspace-9', `/explorations/${exploration}`, `/explorations/${exploration}/plan`]) await askAsMember('GET', path)
  await catalog.itemCounts([exploration, randomUUID()])

  // Workspaces
  for (const path of ['/workspaces', '/first-steps']) await askAsMember('GET', path)
  await ask('GET', '/workspaces?archived=include&others=include')
  const slug = `new-${randomUUID()}`
  const { id: made } = await workspaces.create({ slug, name: 'New' }, user)
  await t.rejects(workspaces.create({ slug, name: 'New' }, user))
  t.match(await workspaces.change(made, { name: 'Old', archived: true }, user), { name: 'Old', archived_at: String })
  const { id: nine } = (await workspaces.find('workspace-9', user))!
  await workspaces.members(nine)
  await workspaces.writers(nine)

  // People
  await twoPages(ask, '/people')
  for (const prefix of ['user+49', 'user49', 'nobody']) await twoPages(ask, '/people', `&q=${prefix}`)
  await ask('GET', '/service-accounts')
  const newUser = (kind: 'person' | 'service_account') => directory.createUser({ email: `${randomUUID()}@example.com`, name: 'New', kind })
  const [person, account] = [await newUser('person'), await newUser('service_account')]
  await people.setOwner(account.id, person.id)
  t.equal((await people.serviceAccounts(person.id)).length, 1)
  for (const of of [person.id, person.email]) t.match(await people.find(of), { email: person.email })
  t.match(await people.findServiceAccount(account.email), { owner: { id: person.id } })
  await people.rename(person.id, 'Renamed')
  t.match((await people.names([person.id])).get(person.id), { name: 'Renamed' })
  await people.deletePerson(person.id)

  // Credentials
  for (const query of ['', '&revoked=include', '&unused_days=30', `&user=${member}`]) await twoPages(ask, '/admin/credentials', query)
  for (const by of [ask, askAsMember]) await twoPages(by, '/keys')
  const { id, key_id: keyId = id } = await askAsMember('POST', '/keys', { name: 'plans', scope: 'read' })
  const users = [...await credentials.ownUsers(user)]
  t.match(await credentials.find(keyId, 'api_key', { users, limitedTo: [] }), { name: 'plans' })
  const all = (await workspaces.list(user, { others: true, archived: false })).map((one) => one.id)
  for (const limitedTo of [[], all.slice(0, 1)]) {
    await credentials.page({ reach: { users, limitedTo }, revoked: false }, { limit: 5 })
    await credentials.recentlyUsed({ users, limitedTo }, 5)
  }
  await credentials.recentlyUsed(undefined, 5)

  // Activity
  await usage.countHours()
  await usage.isTimeZone('Europe/Berlin')
  const month = `from=${days(30)}`
  for (const query of [`from=${days(1)}`, `${month}&group=credential`, `${month}&by=day&group=client&time_zone=Europe/Berlin`]) {
    const range = `${query}&to=${days(0)}`
    for (const of of ['&owner=all', '&workspace=workspace-9&owner=all']) await ask('GET', `/usage?${range}${of}`)
    await askAsMember('GET', `/usage?${range}`)
  }
  for (const by of [ask, askAsMember]) await twoPages(by, '/audit-events')
  await ask('GET', '/admin/status')
}
