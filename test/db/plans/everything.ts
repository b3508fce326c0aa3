/**
 * Everything that the product does with its database, on the service of many.sql: through the two listeners where they reach, else through
 * the ports.
 */
import { createHash, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { managementServer } from '../../../src/administration/socket-server.js'
import { buildApp } from '../../../src/server/build-app.js'
import { backendOn, type Backend } from '../../../src/server/backend.js'
import { addFirstAdmin, ONLY_ADMINISTRATOR } from '../../../src/importers/records/first-admin.js'
import { importRecords } from '../../../src/importers/records/import-records.js'
import type { Database } from '../../../src/db/sql/database.js'
import { ensureDeploymentTag } from '../../../src/db/migrate.js'
import { makeRoomForGrant } from '../../../src/db/oauth/grant-shares.js'
import { sqlEndedSessionStore } from '../../../src/db/sessions/sql-ended-session-store.js'
import { sqlVectorStore } from '../../../src/search/ranking/vector-store.js'
import { testConfig } from '../../helpers/config.js'
import { handshake, legacy, meta, modern } from '../../helpers/build.js'
import { bytesOf, explorationLine } from '../../helpers/planning-data.js'
import { until } from '../../helpers/until.js'
import { oauth } from './oauth.js'
import { webApi } from './web-api.js'
import { writing } from './writing.js'
import { webSignIn } from './web-sign-in.js'

// As there.
const numbered = (kind: string, n: number): string =>
  `${createHash('md5').update(kind + n).digest('hex').slice(0, 8)}-0000-4000-8000-${String(n).padStart(12, '0')}`

// Sees all 50 workspaces; sees three of them, and the exploration below.
const [WIDE, NARROW] = ['user1@example.com', 'user7@example.com']
const EXPLORATION = numbered('e', 8)
const WORKSPACE = numbered('a', 9)

type Json = Record<string, any> // eslint-disable-line @typescript-eslint/no-explicit-any

interface Service {
  t: Test
  db: Database
  backend: Backend
  app: FastifyInstance
  /** Speaks to the management API. */
  manage (method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, user?: string): Promise<Json>
  /** A modern request that is to succeed. */
  ask (key: string, method: string, params?: object): Promise<Json>
}

export const everything = async (t: Test, db: Database): Promise<void> => {
  const config = testConfig({ signInsPerMinute: '1000' })
  await ensureDeploymentTag(db)
  const backend = await backendOn(db, config)
  const app = await buildApp(config, {
    ...backend, sessionSecret: 'a secret of the tests, long enough to be one', logDestination: { write () {} }
  })
  const management = await managementServer(backend)
  const service: Service = {
    t,
    db,
    backend,
    app,
    async manage (method, url, payload, user) {
      const reply = await management.inject({ method, url: `/api/v1${url}`, ...(payload && { payload }), headers: user === undefined ? {} : { 'exploration-mcp-user': user } })
      t.ok(reply.statusCode < 300, `${method} ${url}: ${reply.statusCode} ${reply.statusCode < 300 ? '' : reply.body}`)
      return String(reply.headers['content-type']).startsWith('application/json') ? reply.json() : {}
    },
    async ask (key, method, params = {}) {
      const { status, body, text } = await modern<Json>(app, key, method, { ...params, _meta: meta() })
      const well = status === 200 && body['error'] === undefined && body['result']?.isError !== true
      t.ok(well, `${method} ${JSON.stringify(params)}${well ? '' : `: ${text.slice(0, 300)}`}`)
      return body['result']
    }
  }

  const { wide, narrow, user } = await people(service)
  for (const key of [wide, narrow]) {
    await tools(service, key)
    await resources(service, key)
  }
  await session(service, wide)
  await changes(service, user)
  await devices(service, user)
  await records(service)
  await importedPlans(service)
  await wrote(service, narrow)
  await exports(service)
  await endings(service)
  await searchIndex(service)
  await webSignIn(t, { app, backend, db, user })
  await oauth(t, { app, backend, db, user })
  await webApi(t, { app, backend, admin: user, wide: WIDE, member: NARROW, exploration: EXPLORATION })
  await audit(service)

  await management.close()
  await app.close()
  await backend.close()
}

/** Answers two keys, and the address of someone new. */
const people = async ({ manage }: Service): Promise<{ wide: string, narrow: string, user: string }> => {
  const email = `${randomUUID()}@example.com`
  await manage('POST', '/users', { email, name: 'New', kind: 'person' })
  await manage('POST', '/users', {
    email: `bot-${email}`, name: 'New', kind: 'service_account', owner: numbered('b', 2)
  })
  await manage('GET', '/users')
  await manage('GET', '/admin/workspaces')
  await manage('PUT', `/people/${email}/memberships/workspace-9`, { role: 'viewer' })
  const { id } = await manage('POST', '/tokens', { name: 'guard' }, email)
  await manage('DELETE', `/tokens/${id}`)
  for (const query of [`&user=${WIDE}`, `&user=${numbered('b', 2)}`]) {
    await manage('GET', `/admin/credentials?kind=api_key${query}`)
    await manage('GET', `/admin/credentials?kind=personal_access_token${query}`)
  }
  // Tokens are listed by the same statement. The server tells of each of the 40,000 calls of a function in it.
  await manage('GET', '/admin/credentials?kind=api_key&revoked=include')
  const newKey = async (user: string, more: object = {}): Promise<string> =>
    (await manage('POST', '/keys', { name: 'guard', scope: 'admin', ...more }, user))['secret']
  return {
    wide: await newKey(WIDE), narrow: await newKey(NARROW, { workspaces: ['workspace-9', WORKSPACE] }), user: email
  }
}

/** What agents write and people decide. */
const wrote = async (service: Service, key: string): Promise<void> => {
  const { db, backend, manage } = service
  const person = await backend.directory.findUser(NARROW)
  const [{ workspace } = { workspace: '' }] = await db.query<{ workspace: string }>(
    'select workspace_id as workspace from explorations where id = $1::uuid', [EXPLORATION])
  await manage('PUT', `/people/${NARROW}/memberships/${workspace}`, { role: 'editor' })
  await writing({ ...service, key, workspace, exploration: EXPLORATION, person })
}

const tools = async ({ backend, ask }: Service, key: string): Promise<void> => {
  const use = async (name: string, args: object = {}): Promise<Json> => (await ask(key, 'tools/call', { name, arguments: args }))['structuredContent']
  const of = { exploration_id: EXPLORATION }
  await ask(key, 'tools/list')
  for (const name of ['ping', 'list_workspaces']) await use(name)
  for (const name of ['get_planning_state', 'get_planning_full', 'get_recommendations']) await use(name, of)
  await use('get_recommendations', { ...of, kind: 'strategy' })
  await use('get_requirement_package', { ...of, artifact_type: 'code' })
  await backend.store.packages.types(EXPLORATION)
  await backend.store.explorations.workspaceOf(EXPLORATION)
  const { title } = await use('get_exploration', of)
  const words = title.split(' ')
  const questions = [
    EXPLORATION, title, `${title.slice(0, 12)}x`, 'KEP-108', words[0], `${words[0]} ${words[2]}`, `"${words[0]} ${words[1]}" ${words[2]}`,
    'who may cancel an appointment?'
  ]
  for (const query of questions) {
    const { next_cursor: cursor } = await use('find_explorations', { query })
    for (const more of [...cursor === undefined ? [] : [{ cursor }], { status: ['draft', 'archived'] }, { workspace_id: WORKSPACE }]) {
      await use('find_explorations', { query, ...more })
    }
  }
}

const resources = async ({ ask }: Service, key: string): Promise<void> => {
  for (const uri of ['workspaces', `workspace/${WORKSPACE}/explorations`, `exploration/${EXPLORATION}`, `exploration/${EXPLORATION}/artifact/code`]) {
    await ask(key, 'resources/read', { uri: `service://${uri}` })
  }
  for (let cursor: string | undefined, page = 0; page < 3; page++) {
    ({ nextCursor: cursor } = await ask(key, 'resources/list', cursor === undefined ? {} : { cursor }))
  }
  const complete = (path: string, name: string, value: string, known: object = {}) => ask(key, 'completion/complete', {
    ref: { type: 'ref/resource', uri: `service://${path}` }, argument: { name, value }, context: { arguments: known }
  })
  for (const value of ['', 'w', 'workspace-4', WORKSPACE.slice(0, 10), 'nothing']) {
    await complete('workspace/{workspaceId}/explorations', 'workspaceId', value)
  }
  for (const value of ['', 'ba', 'Quilarbo', EXPLORATION.slice(0, 5), EXPLORATION, 'nothing%']) {
    await complete('exploration/{explorationId}', 'explorationId', value)
  }
  for (const value of ['', 'co', 'nothing']) {
    await complete('exploration/{explorationId}/artifact/{artifactType}', 'artifactType', value)
    await complete('exploration/{explorationId}/artifact/{artifactType}', 'artifactType', value, { explorationId: EXPLORATION })
  }
}

/** A legacy session, from its beginning to its end. */
const session = async ({ app, db, backend }: Service, key: string): Promise<void> => {
  const session = await handshake(app, key)
  await legacy(app, key, session, 'logging/setLevel', { level: 'info' })
  await legacy(app, key, session, 'resources/subscribe', { uri: `service://exploration/${EXPLORATION}` })
  await legacy(app, key, session, 'tools/call', { name: 'get_exploration', arguments: { exploration_id: EXPLORATION } })
  await backend.sessionPreferences.get(session)
  await legacy(app, key, session, 'resources/unsubscribe', { uri: `service://exploration/${EXPLORATION}` })
  await app.inject({ method: 'DELETE', url: '/mcp', headers: { host: 'localhost', authorization: `Bearer ${key}`, 'mcp-session-id': session } })
  // As a call that waited for its turn does.
  await backend.endedSessions.has(session)
  await sqlEndedSessionStore(db)
}

/** Who listens is told what changes. */
const changes = async ({ t, backend, manage }: Service, user: string): Promise<void> => {
  const { changes } = backend
  t.equal((await changes.after('50.5')).length, 1000)
  await changes.recentlyRevoked()
  await changes.purge()
  const before = await changes.position()
  await manage('DELETE', `/people/${user}/memberships/workspace-9`)
  // Told once no transaction of anybody's is under way that began before.
  await until(async () => (await changes.after(before)).length > 0)
  t.match((await changes.after(before)).at(-1), { workspace_id: WORKSPACE })
}

/** Tokens for other machines. */
const devices = async ({ t, db, app, manage }: Service, user: string): Promise<void> => {
  const form = async (url: string, payload: object): Promise<Json> =>
    (await app.inject({ method: 'POST', url: `/api/v1${url}`, headers: { host: 'localhost' }, payload })).json()
  for (const shares of [{ maxPerHost: 0 }, { maxWaiting: 0 }]) await makeRoomForGrant(db, '203.0.113.9', shares)
  const { device_code: code, user_code: letters } = await form('/device/authorization', { client_id: 'guard' })
  const { user_code: others } = await form('/device/authorization', { client_id: 'guard' })
  await manage('GET', '/admin/devices')
  await manage('GET', `/devices/${letters}`)
  await manage('POST', `/admin/devices/${letters}/approval`, { user })
  await manage('POST', `/devices/${others}/denial`)
  const polled = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code, client_id: 'guard' }
  const granted = await form('/device/token', polled)
  t.match(granted, { access_token: /^svc_pat_/ })
  t.equal(
    (await app.inject({ url: '/api/v1/token', headers: { host: 'localhost', authorization: `Bearer ${granted['access_token']}` } })).statusCode,
    200
  )
  t.same(await form('/revoke', { token: granted['access_token'] }), {})
}

const AT = '2026-01-01T00:00:00.000Z'

/** An exploration with a package and a plan, as an import reads them. */
const recordsOf = (id: string, title: string, markdown: string, version: number) => [
  explorationLine(WORKSPACE, title, 'What is planned.', { id }),
  { type: 'requirement_package', exploration_id: id, artifact_type: 'code', markdown, version, updated_at: AT },
  {
    type: 'execution_plan',
    exploration_id: id,
    version,
    compilation_state: 'compiled',
    updated_at: AT,
    groups: [{ id: 'g', title: 'G', order: 1 }],
    items: ['i', 'j'].map((item, order) => ({ id: item, group_id: 'g', title: item, status: 'todo', order })),
    dependencies: [{ item_id: 'j', depends_on: 'i', kind: 'blocks' }],
    gates: [{ id: 'x', title: 'X', after_group_id: 'g', criteria: ['done'], status: 'open' }],
    conflicts: [{ id: 'c', item_ids: ['i', 'j'], description: 'C', severity: 'low', status: 'open' }]
  }
]

const records = async ({ t, db }: Service): Promise<void> => {
  const [user, workspace, exploration] = [randomUUID(), randomUUID(), randomUUID()]
  const lines = [
    { type: 'workspace', id: workspace, slug: `new-${workspace}`, name: 'New', created_at: AT },
    { type: 'user', id: user, email: `${user}@example.com`, name: 'New', kind: 'person' },
    { type: 'membership', user_id: user, workspace_id: workspace, role: 'viewer' },
    { type: 'membership', user_id: numbered('b', 3), workspace_id: WORKSPACE, role: 'viewer' },
    ...[exploration, numbered('e', 58)].flatMap((id) => [
      ...recordsOf(id, `Balarta ${id}`, `# ${user}`, 2),
      { type: 'recommendation', id: randomUUID(), exploration_id: id, kind: 'strategy', title: 'S', body: 'B', status: 'approved', approved_by: user, approved_at: AT }
    ])
  ]
  // Twice: what is new, and what replaces.
  for (let time = 0; time < 2; time++) t.match(await importRecords(db, bytesOf(lines), { spoolDir: tmpdir() }), { total: lines.length })
  for (const admin of [ONLY_ADMINISTRATOR, numbered('b', 2)] as const) await addFirstAdmin(db, admin, [WORKSPACE])
}

/** Of a workspace with its people, to the end; of the whole service, which has 50,000 explorations, the first pages. */
const exports = async ({ t, backend, manage }: Service): Promise<void> => {
  const ofWorkspace = await manage('GET', `/export?workspace=${WORKSPACE}&people=include`)
  t.same(ofWorkspace, {})
  let pages = 0
  for await (const page of backend.exportRecords({ people: true })) {
    t.ok(page.endsWith('\n'))
    if (pages++ === 20) break
  }
}

/** Ends what there is not, and what was issued before there was anything. */
const endings = async ({ t, backend, manage }: Service): Promise<void> => {
  const rights = [
    'credential', 'client', 'invitation', 'passkey', 'passkeys', 'sessions', 'account', 'administrator', 'membership'
  ] as const
  const none = { keys: 0, tokens: 0, connections: 0, sessions: 0 }
  t.same(await backend.credentialEndings.replay(rights.map((right) => ({
    right, id: randomUUID(), workspace_id: randomUUID(), at: '2026-01-01T00:00:00Z'
  }))), none)
  t.same(await manage('POST', '/admin/credentials/end', { issued_before: '1970-01-02T00:00:00Z' }), { ended: none })
}

/** The plans of a repository: new, the same, changed, and gone; then those of another into a workspace that is new. */
const importedPlans = async ({ t, backend }: Service): Promise<void> => {
  const id = randomUUID()
  const lines = async (workspace: string, title: string, present: string[]) => await backend.syncPlans(bytesOf([
    { workspace, source: id, formats: ['spec-kit'], folders: [''], present: present.map((path) => ['spec-kit', path]), unread: [] },
    ...present.flatMap((path) => [{ origin: { format: 'spec-kit', path, former: [] } }, ...recordsOf(id, title, title, 1)])
  ]), { indexTimeoutMs: 1 })
  t.match(await lines(WORKSPACE, 'One', ['specs/1']), { sync: { written: 1 } })
  t.match(await lines(WORKSPACE, 'One', ['specs/1']), { sync: { unchanged: 1 } })
  t.match(await lines(WORKSPACE, 'Two', ['specs/1']), { sync: { written: 1 } })
  t.match(await lines(WORKSPACE, 'Two', ['specs/2']), { sync: { renamed: 0, archived: 0 } })
  t.match(await lines(WORKSPACE, 'Two', []), { sync: { archived: 1 } })
  t.match(await lines(`new-${id}`, 'One', []), { sync: { workspace_created: false } })
}

/** Kept up; another embedder takes over, and the first comes back. */
const searchIndex = async ({ t, db, app, manage }: Service): Promise<void> => {
  const index = sqlVectorStore(db)
  const [first] = await index.embedders()
  const next = await index.adopt({ id: `next-${randomUUID()}`, version: '1', dimensions: 3 }, {})
  const claimed = await index.claim(next.id, 16, 3000)
  t.equal(claimed.length, 16)
  const [one, ...rest] = claimed
  await index.keep(next.id, [{ id: one!.id, change: one!.change, vectors: [Float32Array.of(1, 0, 0)] }])
  await index.index(next.id)
  await index.release(rest)
  await index.sample(next.id, 64)
  await index.setScale(next.id, { unrelated: 0.1, related: 0.9 })
  await index.adopt({ id: first!.name, version: first!.version, dimensions: first!.dimensions }, first!.settings)
  await index.sample(first!.id, 64)
  await index.complete(first!.id)
  await index.requeue()
  await manage('GET', '/search-index')
  t.equal((await app.inject('/readyz')).statusCode, 200)
}

/** Who did what. */
const audit = async ({ backend, manage }: Service): Promise<void> => {
  const { audit_events: page } = await manage('GET', '/admin/audit-events?limit=20')
  await backend.audit.list({ limit: 20, before: page.at(-1) })
  const days = (n: number): string => new Date(Date.now() - n * 86_400_000).toISOString()
  const filters: Array<Record<string, string>> = [
    { user: WIDE }, { user: numbered('b', 2) }, { credential: 'guard' }, { credential: 'credential 7' }, { credential: numbered('c', 7) },
    { credential: 'guard', action: 'never' },
    { workspace: 'workspace-9' }, { workspace: WORKSPACE }, { action: 'tools/call' }, { action: 'credential/' }, { action: 'never' },
    { outcome: 'ok' }, { outcome: 'error' }, { outcome: 'never' },
    { since: days(1) }, { since: days(-1) }, { until: days(100) }, { until: days(1000) }, { since: days(50), until: days(40) },
    { user: NARROW, action: 'tools/call' }, { workspace: 'workspace-9', since: days(20) }, { user: NARROW, outcome: 'error' },
    { action: 'credential/', since: days(1) }, {}
  ]
  for (const filter of filters) await manage('GET', `/admin/audit-events?${new URLSearchParams({ ...filter, limit: '20' }).toString()}`)
  await manage('GET', `/admin/audit-events/export?${new URLSearchParams({ since: days(1) }).toString()}`)
  // Drops what is older than 90 days by months, and then the rows of a month in part.
  for (const limit of [100, 80]) await backend.audit.purge(limit)
  await backend.audit.createPartitions()
}
