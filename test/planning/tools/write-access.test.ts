// Who writes: role × scope × policy × tool, some in a short run; the order of refusals; and that all others get the lists of readers.
import t from 'tap'
import { randomUUID } from 'node:crypto'
import { AGENT_POLICIES, WRITES, WRITING_ROLES, WRITING_SCOPES } from '../../../src/planning/agent-policy.js'
import { SCOPES } from '../../../src/planning/scope-words.js'
import { tools } from '../../../src/planning/tools/index.js'
import { modern } from '../../helpers/build.js'
import { some } from '../../helpers/fuzzing.js'
import { explorationLine } from '../../helpers/planning-data.js'
import { EXPLORATION, planLines, WORKSPACE, writing } from '../../helpers/writing.js'
import { wire } from '../../helpers/wire.js'

type Reply = { result: { tools: Array<{ name: string }> }, error: { code: number, message: string, data?: { scope?: string } } }

const WRITING = tools.filter(({ scope }) => scope !== 'read')
const ROLES = ['viewer', 'editor', 'admin'] as const
const READ_ONLY = randomUUID()
const UNSEEN = randomUUID()
const workspace = (id: string, slug: string) => ({ type: 'workspace', id, slug, name: slug, created_at: '2026-01-01T00:00:00Z' })
const readOnly = explorationLine(READ_ONLY, 'Rooms', 'Rooms')
const unseen = explorationLine(UNSEEN, 'Unseen', 'Unseen')

const server = await writing(t, [...planLines([{ id: 'a' }]), workspace(READ_ONLY, 'read-only'), workspace(UNSEEN, 'unseen'), readOnly, unseen])
const { app, db, people, policy, keyFor, use } = server
const setRole = (user: string, role: string, id = WORKSPACE) => db.query(
  'insert into memberships (user_id, workspace_id, role) values ($1, $2, $3) on conflict (user_id, workspace_id) do update set role = $3', [user, id, role])
const users = new Map<string, string>()
const keys = new Map<string, string>()
for (const role of ROLES) {
  const { id } = await people.createUser({ email: `${role}@example.com`, name: role, kind: 'person' })
  users.set(role, id)
  await setRole(id, role)
  await setRole(id, 'editor', READ_ONLY)
  for (const scope of SCOPES) keys.set(`${role} ${scope}`, (await keyFor(scope, scope, id)).key)
}
const list = (key: string) => modern<Reply>(app, key, 'tools/list')
const args = (name: string, exploration = EXPLORATION) => ({
  ...name !== 'get_changes' && { exploration_id: exploration },
  ...name === 'report_progress' && { item_id: 'a', status: 'todo', expected_revision: 99 },
  ...name === 'add_note' && { text: 'A note.' },
  ...name === 'ask_question' && { question: 'Which?' },
  ...name === 'propose_change' && { changes: [{ kind: 'edit_item', item_id: 'a', title: 'Other' }], rationale: 'Clearer.' }
})
const call = (key: string, name: string, more: object = {}) =>
  modern<Reply>(app, key, 'tools/call', { name, arguments: { ...args(name), ...more } })

t.test('the table names each tool that writes', async (t) => {
  t.same([...new Set(Object.keys(WRITES).map((name) => name.split(' ')[0]))].sort(), WRITING.map(({ name }) => name).sort())
  for (const { name, access } of WRITING) t.type(access, 'function', `${name} is for some callers`)
})

for (const agents of AGENT_POLICIES) {
  t.test(`a workspace with ${agents}`, async (t) => {
    await policy(agents)
    const reading = (await list(keys.get('viewer read')!)).text
    t.match(reading, '"cacheScope":"public"')
    for (const role of ROLES) {
      for (const scope of SCOPES) {
        const key = keys.get(`${role} ${scope}`)!
        const hasScope = WRITING_SCOPES.includes(scope)
        const writes = agents !== 'read' && hasScope && WRITING_ROLES.includes(role)
        const listed = await list(key)
        if (writes) {
          t.same(listed.body.result.tools.map(({ name }) => name), tools.map(({ name }) => name), `${role} ${scope}`)
          t.match(listed.text, '"cacheScope":"private"')
        } else {
          t.equal(listed.text, reading, `${role} ${scope}: byte for byte`)
        }
        for (const { name } of some(WRITING)) {
          const reply = await call(key, name)
          const what = `${role} ${scope} ${name}`
          if (agents === 'read') t.match(reply.body.error, { code: -32602, message: /There is no tool of this name/ }, what)
          else t.equal(reply.status, writes ? 200 : 403, what)
          if (agents !== 'read' && !hasScope) t.match(reply.headers['www-authenticate'], 'error="insufficient_scope", scope="read_write"', what)
        }
      }
    }
  })
}

t.test('within a server where agents write: by the exploration', async (t) => {
  await policy('report')
  const key = keys.get('editor read_write')!
  for (const { name } of WRITING.filter((tool) => tool.name !== 'get_changes')) {
    const hidden = await call(key, name, { exploration_id: unseen.id })
    t.equal(hidden.status, 403, `${name}: a workspace that it does not see`)
    t.equal(hidden.text.replace(/"requestId":"[^"]*"/, ''), (await modern<Reply>(app, key, 'tools/call', { name: 'get_exploration', arguments: { exploration_id: unseen.id } })).text, 'as for the eight')
    t.match(await use(key, name, { ...args(name), exploration_id: readOnly.id }), {
      status: 200, isError: true, data: { error: 'agents_read_only' }, text: /read-only.*admin/
    }, name)
    t.match(await use(key, name, { ...args(name), exploration_id: randomUUID() }), { isError: true, text: /find_explorations/ }, name)
  }
  await setRole(users.get('editor')!, 'viewer', READ_ONLY)
  t.equal((await call(key, 'claim_item', { exploration_id: readOnly.id })).status, 403, 'no role there, whatever its policy')
})

t.test('a changed policy, role or scope is announced', async (t) => {
  await policy('read')
  const { key, id } = await keyFor('read_write', 'listener', users.get('viewer')!)
  const client = await wire(t, app, key)
  const stream = await client.modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
  t.match(await stream.message(), { params: { notifications: { toolsListChanged: true } } })
  const changes: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
    ['policy', () => policy('propose')], ['role', () => setRole(users.get('viewer')!, 'editor')],
    ['scope', () => db.query("update credentials set scope = 'read' where id = $1", [id])], ['policy back', () => policy('read')]
  ]
  for (const [what, change] of changes) {
    await change()
    t.match(await stream.message(), { method: 'notifications/tools/list_changed' }, what)
  }
})
