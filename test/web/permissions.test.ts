// Four people and a stranger call every operation: the table of permissions says how each ends, and no text of others gets through.
import t from 'tap'
import { createHash, randomUUID } from 'node:crypto'
import { authenticator } from '../helpers/authenticator.js'
import { some } from '../helpers/fuzzing.js'
import { importLines, explorationLine } from '../helpers/planning-data.js'
import { ORIGIN, webServer, type Person } from '../helpers/web.js'
import { pageOperations as operations, permissions, type PageOperationId as OperationId } from '../../src/administration/operations.js'
import { PlanImport } from '../../src/importers/plan-import.js'
import type { Permission } from '../../src/administration/permission.js'

const MINE = randomUUID()
const FOREIGN = randomUUID()
// In every text of the foreign workspace, of its person and of its credentials; no one of the other one may ever get it.
const MARK = 'zyxforeign'

const server = await webServer(t, {}, undefined, { clientDocuments: { resolve: async () => [] } })
const { app, backend, db } = server

const workspace = (id: string, slug: string, name: string) => ({ type: 'workspace', id, slug, name, created_at: '2026-01-01T00:00:00Z' })
const plan = (id: string, text: string) => ({
  type: 'execution_plan',
  exploration_id: id,
  version: 1,
  compilation_state: 'compiled',
  updated_at: '2026-01-01T00:00:00Z',
  groups: [{ id: 'g', title: text, order: 1 }],
  items: [{ id: 'i', group_id: 'g', title: text, status: 'todo', order: 1 }],
  dependencies: [],
  gates: [],
  conflicts: []
})
const pack = (id: string, text: string) =>
  ({ type: 'requirement_package', exploration_id: id, artifact_type: 'design', markdown: `# ${text}`, version: 1, updated_at: '2026-01-01T00:00:00Z' })
const mine = explorationLine(MINE, 'Shared rooms', 'Shared rooms for all')
const foreign = explorationLine(FOREIGN, `${MARK} rooms`, `${MARK} rooms for all`, { tags: [`${MARK}-tag`] })
await importLines(db, [
  workspace(MINE, 'mine', 'Mine'), workspace(FOREIGN, `${MARK}-space`, `${MARK} space`),
  mine, plan(String(mine.id), 'Own plan'), pack(String(mine.id), 'Own package'),
  foreign, plan(String(foreign.id), `${MARK} plan`), pack(String(foreign.id), `${MARK} package`)
])

const people = {
  viewer: await server.newPerson('viewer', 'mine'),
  editor: await server.newPerson('editor', 'mine', 'editor'),
  admin: await server.newPerson('admin', 'mine', 'admin'),
  serverAdmin: await server.boss(),
  stranger: await server.newPerson('stranger')
}
type Role = keyof typeof people
const ids = {
  ...Object.fromEntries(Object.entries(people).map(([role, { id }]) => [role, id])) as Record<Role, string>,
  foreigner: (await server.newPerson(`${MARK}-person`, FOREIGN, 'admin')).id
}
backend.planFiles.follow({ plans: await PlanImport.open(t.testdir({}), { cwd: '/', workspace: 'mine' }), writes: false, onLeft: () => {} })
const foreignKey = await backend.credentials.createKey({ user: ids.foreigner, name: `${MARK} key`, scope: 'read' })
await backend.audit.record({
  user_id: ids.foreigner, action: `tools/call ${MARK}`, outcome: 'ok', duration_ms: 1, request_id: 'r', remote_address: '-', client: MARK
})

/** A credential of the person, limited to the workspace, to look at, rotate or revoke. */
const ownKey = async (role: Role) => (await backend.credentials.createKey({ user: ids[role], name: 'own', scope: 'read' })).id
const ownToken = async (role: Role) => (await backend.credentials.createToken({ user: ids[role], name: 'own' })).id
const device = async () => (await backend.devices.request({ name: 'd', remote_address: `10.0.${Math.floor(Math.random() * 250)}.1` }))?.user_code ?? ''
const named = (kind: 'person' | 'service_account') => backend.directory.createUser({ email: `${randomUUID()}@example.com`, name: 'n', kind, ...kind === 'service_account' && { owner: ids.serverAdmin } })
const bystander = async () => (await named('person')).id
const bot = async () => (await named('service_account')).id

const passkey = async (userId: string) => (await backend.web!.passkeys.create({
  userId, name: 'Key', credentialId: randomUUID(), publicKey: new Uint8Array(1), counter: 0, transports: [], rpId: 'localhost'
})).id
const session = async (userId: string) => {
  const { sessions } = backend.web!
  await sessions.start({ userId, method: 'link', remoteAddress: 'elsewhere', userAgent: 'Elsewhere' })
  return (await sessions.list(userId)).find(({ remote_address: from }) => from === 'elsewhere')!.id
}
const invitation = async () => (await backend.web!.invitations.create({
  email: `${randomUUID()}@example.com`, serverAdmin: false, memberships: [], invitedBy: ids.serverAdmin
})).invitation.id

const CLIENT = 'https://claude.ai/oauth/mcp-oauth-client-metadata'
const REDIRECT = 'https://claude.ai/api/mcp/auth_callback'
/** The ticket of an authorization request, or of one that lacks PKCE. */
const ticket = async (role: Role, wrong = false): Promise<string> => {
  const query = new URLSearchParams({
    client_id: CLIENT, redirect_uri: REDIRECT, response_type: 'code', ...!wrong && { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' }
  })
  const { headers } = await people[role].browser.open(`/oauth/mcp/authorize?${query.toString()}`)
  return new URL(String(headers.location), ORIGIN).searchParams.get('ticket') ?? ''
}
const connection = async (userId: string): Promise<string> => {
  const verifier = randomUUID().padEnd(43, '0')
  const client = { id: CLIENT, kind: 'document' as const, name: `${userId === ids.foreigner ? MARK : ''} app`, host: 'claude.ai' }
  const code = await backend.web!.oauthGrants.createCode({
    userId,
    client,
    redirectUri: REDIRECT,
    challenge: createHash('sha256').update(verifier).digest('base64url'),
    resource: 'r',
    scope: 'read',
    refreshable: true,
    workspaceIds: null,
    by: 'them'
  })
  await backend.web!.oauthGrants.redeem({ code, clientId: CLIENT, verifier, redirectUri: undefined, resource: undefined })
  return (await backend.connections.list({ user: userId, limit: 1 }))[0]!.id
}

/** An open proposal, a question, or a change that can be undone, of one of the two explorations. */
const proposal = async (exploration: string) => (await db.query<{ id: string }>(`
  insert into proposals (exploration_id, id, state, changes, base, proposed_by)
  values ($1, gen_random_uuid(), 'open', '[{"kind":"add_item","group_id":"g","title":"New"}]', '[null]', '{"user":"a@example.com"}') returning id`, [exploration]))[0]!.id
const question = async (exploration: string) => (await db.query<{ id: string }>(`
  insert into questions (exploration_id, position, id, question, status)
  select $1, 1000000 + count(*), 'q' || count(*), 'Which one?', 'open' from questions returning id`, [exploration]))[0]!.id
const change = async (exploration: string, user: string) => {
  await backend.planChanges.accept({ user: { id: user, email: 'who@example.com' } }, await proposal(exploration))
  return (await db.query<{ id: string }>("select max(id)::text as id from history where exploration_id = $1 and kind = 'item'", [exploration]))[0]!.id
}

interface Case {
  /** Path and body of a call about what the person has or a member of the workspace may see. */
  call (role: Role): Promise<[path: string, body?: unknown]>
  /** The same about records of others; the answer must be 404. Absent where a call names no record. */
  foreign? (role: Role): Promise<[path: string, body?: unknown]>
}
const at = (path: string, body?: unknown): Case['call'] => async () => [path, body]
/** The same about the exploration of each workspace. */
const ofBoth = (make: (exploration: string) => Promise<[path: string, body?: unknown]>): Case =>
  ({ call: () => make(String(mine.id)), foreign: () => make(String(foreign.id)) })
const below = (path: string, body?: unknown): Case => ofBoth(async (exploration) => [`/explorations/${exploration}${path}`, body])
/** About something of the person, and of another. */
const ofPerson = (make: (userId: string) => Promise<string>, body?: unknown): Case => ({
  call: async (role) => [await make(ids[role]), body], foreign: async () => [await make(ids.foreigner), body]
})
const NOTE = { changes: [{ kind: 'add_note', text: 'n' }] }
/** Of all operations but those that need neither a parameter nor a body. */
const special: Partial<Record<OperationId, Case>> = {
  listExplorations: { call: at('/explorations?q=rooms'), foreign: at(`/explorations?workspace=${FOREIGN}`) },
  listTags: { call: at('/tags'), foreign: at(`/tags?workspace=${FOREIGN}`) },
  getExploration: below(''),
  getPackage: below('/packages/design'),
  getPlan: below('/plan'),
  listPackageVersions: below('/packages/design/versions'),
  getPackageVersion: below('/packages/design/versions/1'),
  getPlanPatch: below('/patch'),
  listHeldItems: below('/held'),
  getExplorationActivity: below('/activity'),
  getAgentView: below('/agent-view'),
  makeChanges: below('/changes', NOTE),
  getRecord: below('/records/item/i'),
  listHistory: below('/history'),
  createExploration: { call: at('/explorations', { workspace_id: MINE, title: 'New' }), foreign: at('/explorations', { workspace_id: FOREIGN, title: 'New' }) },
  listInbox: { call: at('/inbox'), foreign: at(`/inbox?workspace=${FOREIGN}`) },
  listProposals: { call: at('/proposals'), foreign: at(`/proposals?workspace=${FOREIGN}`) },
  acceptProposal: ofBoth(async (exploration) => [`/proposals/${await proposal(exploration)}/acceptance`]),
  dismissProposal: ofBoth(async (exploration) => [`/proposals/${await proposal(exploration)}/dismissal`, { reason: 'No.' }]),
  answerQuestion: ofBoth(async (exploration) => [`/explorations/${exploration}/questions/${await question(exploration)}/answer`, { text: 'Yes.' }]),
  undoChange: ofBoth(async (exploration) =>
    [`/history/${await change(exploration, exploration === mine.id ? ids.editor : ids.foreigner)}/undo`]),
  createWorkspace: { call: async () => ['/workspaces', { slug: `w-${randomUUID().slice(0, 8)}`, name: 'W' }] },
  updateWorkspace: { call: at('/workspaces/mine', { agents: 'read' }), foreign: at(`/workspaces/${FOREIGN}`, { agents: 'report' }) },
  listWriters: { call: at('/workspaces/mine/writers'), foreign: at(`/workspaces/${FOREIGN}/writers`) },
  listMembers: { call: at('/workspaces/mine/members'), foreign: at(`/workspaces/${FOREIGN}/members`) },
  setMembership: {
    call: async () => [`/people/${await bystander()}/memberships/mine`, { role: 'viewer' }],
    foreign: at(`/people/${ids.viewer}/memberships/${FOREIGN}`, { role: 'admin' })
  },
  removeMembership: {
    call: async () => {
      const user = await bystander()
      await backend.directory.addMember({ user, workspace: 'mine', role: 'viewer' })
      return [`/people/${user}/memberships/mine`]
    },
    foreign: at(`/people/${ids.foreigner}/memberships/${FOREIGN}`)
  },
  listKeys: { call: at('/keys?owner=all&revoked=include') },
  createKey: { call: at('/keys', { name: 'k', scope: 'read' }), foreign: at('/keys', { name: 'k', scope: 'read', workspaces: [FOREIGN] }) },
  rotateKey: { call: async (role) => [`/keys/${await ownKey(role)}/rotation`], foreign: at(`/keys/${foreignKey.id}/rotation`) },
  testKey: { call: at('/keys/test', { secret: 'svc_key_none' }) },
  revokeKey: { call: async (role) => [`/keys/${await ownKey(role)}`], foreign: at(`/keys/${foreignKey.id}`) },
  listTokens: { call: at('/tokens?owner=all') },
  createToken: { call: at('/tokens', { name: 't' }), foreign: at('/tokens', { name: 't', workspaces: [FOREIGN] }) },
  rotateToken: { call: async (role) => [`/tokens/${await ownToken(role)}/rotation`], foreign: at(`/tokens/${foreignKey.id}/rotation`) },
  testToken: { call: at('/tokens/test', { secret: 'svc_pat_none' }) },
  revokeToken: { call: async (role) => [`/tokens/${await ownToken(role)}`], foreign: at(`/tokens/${foreignKey.id}`) },
  updateAccount: { call: at('/account', { theme: 'dark' }) },
  createPasskey: {
    async call (role) {
      const { body: options } = await people[role].browser.call('POST', '/passkeys/options')
      return ['/passkeys', { name: 'Key', response: authenticator(ORIGIN).create(options) }]
    }
  },
  renamePasskey: ofPerson(async (user) => `/passkeys/${await passkey(user)}`, { name: 'Laptop' }),
  deletePasskey: ofPerson(async (user) => `/passkeys/${await passkey(user)}`),
  endSession: ofPerson(async (user) => `/sessions/${await session(user)}`),
  createInvitation: { call: async () => ['/invitations', { email: `${randomUUID()}@example.com`, memberships: [] }] },
  revokeInvitation: { call: async () => [`/invitations/${await invitation()}`] },
  getDevice: { call: async () => [`/devices/${await device()}`], foreign: at('/devices/BCDF-GHJK') },
  approveDevice: { call: async () => [`/devices/${await device()}/approval`, {}], foreign: at('/devices/BCDF-GHJK/approval', {}) },
  denyDevice: { call: async () => [`/devices/${await device()}/denial`], foreign: at('/devices/BCDF-GHJK/denial') },
  getConsentRequest: { call: async (role) => ['/oauth/consent/lookup', { ticket: await ticket(role) }] },
  getConsentError: { call: async (role) => ['/oauth/consent/error', { ticket: await ticket(role, true) }] },
  decideConsent: {
    call: async (role) => ['/oauth/consent', { ticket: await ticket(role), decision: 'allow', workspaces: 'all' }],
    foreign: async (role) => ['/oauth/consent', { ticket: await ticket(role), decision: 'allow', workspaces: [FOREIGN] }]
  },
  listConnections: { call: at('/connections?owner=all') },
  changeConnection: ofPerson(async (user) => `/connections/${await connection(user)}`, { write: true }),
  disconnect: ofPerson(async (user) => `/connections/${await connection(user)}`),
  getUsage: { call: at('/usage?owner=all&group=client'), foreign: at(`/usage?workspace=${FOREIGN}`) },
  listAuditEvents: { call: at('/audit-events?limit=500') },
  exportAuditEvents: { call: at('/audit-events/export?format=csv') },
  getPerson: { call: at(`/people/${ids.viewer}`) },
  createPerson: { call: async () => ['/people', { email: `${randomUUID()}@example.com`, name: 'N' }] },
  updatePerson: { call: async () => [`/people/${await bystander()}`, { name: 'N' }] },
  deletePerson: { call: async () => [`/people/${await bystander()}`] },
  createServiceAccount: { call: async () => ['/service-accounts', { email: `${randomUUID()}@example.com`, name: 'N' }] },
  updateServiceAccount: { call: async () => [`/service-accounts/${await bot()}`, { name: 'N' }] },
  revokeAnyCredential: { call: async (role) => [`/admin/credentials/${await ownKey(role)}`] },
  importRecords: { call: at('/imports', `${JSON.stringify(workspace(MINE, 'mine', 'Mine'))}\n`) },
  exportRecords: { call: at('/export?people=include') }
}

const STREAMS = { 'content-type': 'application/x-ndjson' }
const byId = new Map(Object.entries(operations).map(([key, operation]) => [operation.id, { key, ...operation }]))
const cases = Object.fromEntries([...byId].map(([id, { key }]) => [id, special[id] ?? { call: at(key.split(' ')[1]!) }])) as Record<OperationId, Case>

/** What the table says for a call about the shared workspace, or about what the person has. */
const expected = (permission: Permission, role: Role): number => {
  const { anyone, serverAdmin, ...roles } = permission
  const reach = role === 'serverAdmin' ? serverAdmin : role === 'stranger' ? anyone : roles[role]
  if (reach !== 'none') return 200
  return 403
}

t.test('every operation has a case, and a row', async (t) => {
  for (const [id, { key }] of byId) t.ok(id in special || !key.includes(':'), `${id} has no case`)
  t.same(Object.keys(permissions).sort(), [...byId.keys()].sort())
})

// To a stranger the shared workspace is one of others.
const askingAboutForeign: Role[] = some(['viewer', 'editor', 'admin', 'serverAdmin'])

for (const [id, { call, foreign: aboutForeign }] of Object.entries(cases) as Array<[OperationId, Case]>) {
  // It does not end: test/web/api/inbox.test.ts.
  if (id === 'followChanges') continue
  t.test(id, async (t) => {
    const operation = byId.get(id)!
    const [method = 'GET'] = operation.key.split(' ') as Array<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>
    const headers = 'consumes' in operation ? STREAMS : {}
    // Nobody: test/web/security.test.ts.
    for (const [role, { browser }] of Object.entries(people) as Array<[Role, Person]>) {
      const [path, body] = await call(role)
      const reply = await browser.call(method, path, body, headers)
      const permission = permissions[id]
      const isMembers = permission.anyone === 'none' && Object.values(permission).includes('workspace')
      const named = id === 'createExploration' || /\/(?:explorations\/|workspaces\/mine|memberships\/mine|proposals\/|history\/)/.test(path)
      // A person who is not a member sees nothing of the workspace, whatever else they are: a list is empty, and what is
      // named is as if it did not exist.
      const outside = role === 'stranger' || (role === 'serverAdmin' && permission.serverAdmin === 'none')
      const wanted = outside && isMembers ? named ? 404 : 200 : expected(permission, role)
      t.equal(reply.status === 201 ? 200 : reply.status, wanted, `${role}: ${JSON.stringify(reply.body).slice(0, 200)}`)
      const reads = permission.serverAdmin === 'none'
      if (role !== 'serverAdmin' || reads) t.notMatch(reply.text, MARK, `${role}: no text of others`)
      if (!aboutForeign || !askingAboutForeign.includes(role) || (role === 'serverAdmin' && !reads)) continue
      const [foreignPath, foreignBody] = await aboutForeign(role)
      const hidden = await browser.call(method, foreignPath, foreignBody, headers)
      t.ok([404, 403].includes(hidden.status), `${role} about others: ${hidden.status}`)
      if (hidden.status === 403) t.equal(wanted, 403, 'forbidden whatever it names')
      t.notMatch(hidden.text, MARK)
    }
  })
}

t.test('each change is on record with the person; a denial too', async (t) => {
  await app.close()
  const rows = await db.query<{ action: string, actor: string, user_id: string }>("select distinct split_part(action, ' ', 1) as action from audit_events where action like 'web/%'")
  const changes = Object.entries(operations).filter(([key, row]) => !key.startsWith('GET') || 'audit' in row).map(([, { id }]) => `web/${id}`)
  t.same(rows.map(({ action }) => action).sort(), changes.sort())
  t.same(await db.query("select 1 from audit_events where action like 'web/%' and (user_id is null or actor is null)"), [])
})
