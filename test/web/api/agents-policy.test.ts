// What agents may do in a workspace: its admins decide, it says who gains by it, and it is on record.
import t from 'tap'
import type { ResponseOf } from '../../../src/administration/operation.js'
import type { Operations } from '../../../src/administration/operations.js'
import { webServer } from '../../helpers/web.js'

type Workspace = ResponseOf<Operations['PATCH /workspaces/:id']>
type Writers = ResponseOf<Operations['GET /workspaces/:id/writers']>

const server = await webServer(t)
const { backend, db } = server
const person = async (name: string, role?: 'viewer' | 'editor' | 'admin', serverAdmin = false) => {
  const email = `${name}@example.com`
  const { id } = await backend.directory.createUser({ email, name, kind: 'person', serverAdmin })
  if (role) await backend.directory.addMember({ user: id, workspace: 'kiln', role })
  return { id, email, browser: await server.signIn(id) }
}
const admin = await person('kiln-admin', 'admin')
const editor = await person('kiln-editor', 'editor')
const viewer = await person('kiln-viewer', 'viewer')
const boss = await person('boss', undefined, true)
const outsider = await person('outsider')

const key = async (user: string, name: string, scope: 'read' | 'read_write' | 'admin', workspaces?: string[]) =>
  backend.credentials.createKey({ user, name, scope, workspaces })
await key(editor.id, 'editor writes', 'read_write')
await key(editor.id, 'editor reads', 'read')
await key(editor.id, 'editor writes in kiln', 'admin', ['kiln'])
await key(viewer.id, 'viewer writes', 'read_write')
await key(outsider.id, 'outsider writes', 'admin')
const revoked = await key(admin.id, 'revoked', 'admin')
await backend.credentials.revoke('api_key', revoked.id)
await backend.credentials.createToken({ user: admin.id, name: 'laptop\u202e' })
await backend.credentials.createKey({ user: admin.id, name: 'expired', scope: 'admin', expiresIn: -1000 })
await db.query(`
  insert into credentials (id, kind, name, user_id, scope, hint, expires_at, client_id, client_kind, client_host, resource)
  values (gen_random_uuid(), 'connection', 'Claude', $1, 'read_write', 'svc_at_', now() + interval '1 day', 'c', 'document', 'claude.ai', 'r')`,
[editor.id])

const owners = [admin.email, editor.email].map((owner) => ({ owner }))
const GAINS = [
  { kind: 'personal_access_token', name: 'laptop\\u202e', ...owners[0] }, { kind: 'connection', name: 'claude.ai (Claude)', ...owners[1] },
  { kind: 'api_key', name: 'editor writes', ...owners[1] }, { kind: 'api_key', name: 'editor writes in kiln', ...owners[1] }
]
const withoutIds = (list: Writers['writers'] | undefined) => list?.filter(({ owner }) => owner.startsWith('kiln')).map(({ id: _, ...rest }) => rest)
const set = (who: typeof admin, body: object, id = 'kiln') => who.browser.call<Workspace>('PATCH', `/workspaces/${id}`, body)

t.test('agents read only, unless an admin of the workspace, or a server administrator, decides otherwise', async (t) => {
  const { body } = await admin.browser.call<{ workspaces: Workspace[] }>('GET', '/workspaces')
  t.match(body.workspaces, [{ slug: 'kiln', agents: 'read' }])
  for (const who of [editor, viewer]) t.match(await set(who, { agents: 'report' }), { status: 403 }, who.email)
  t.match(await set(outsider, { agents: 'report' }), { status: 404 })
  t.match(await set(admin, { agents: 'write' }), { status: 400 })
  t.match(await set(admin, { agents: 'report' }), { status: 200, body: { slug: 'kiln', agents: 'report' } })
  t.match(await set(admin, { agents: 'read' }), { status: 200, body: { agents: 'read' } })
  t.match(await set(boss, { agents: 'propose' }), { status: 200, body: { agents: 'propose' } })
  t.match(await set(boss, { agents: 'read', name: 'Kiln' }), { status: 200, body: { agents: 'read', name: 'Kiln' } })
})

t.test('an admin of the workspace changes this field alone', async (t) => {
  for (const body of [{ name: 'Mine' }, { archived: true }, { agents: 'report', description: 'd' }]) {
    t.match(await set(admin, body), { status: 403, body: { detail: /Only a server administrator may rename or archive/ } }, JSON.stringify(body))
  }
  t.same(await db.query('select name, agents, archived_at from workspaces where slug = \'kiln\''), [{ name: 'Kiln', agents: 'read', archived_at: null }])
})

t.test('who gains by it is listed before, and answered where it is widened', async (t) => {
  const { body } = await admin.browser.call<Writers>('GET', '/workspaces/kiln/writers')
  t.same(withoutIds(body.writers), GAINS)
  t.match(await editor.browser.call('GET', '/workspaces/kiln/writers'), { status: 403 })
  t.same(withoutIds((await set(admin, { agents: 'propose' })).body.gains), GAINS)
  t.same(withoutIds((await set(admin, { agents: 'report' })).body.gains), GAINS, 'what agents report as done counts at once')
  t.notOk((await set(admin, { agents: 'report' })).body.gains, 'unchanged')
  t.notOk((await set(admin, { agents: 'propose' })).body.gains, 'narrowed')
})

t.test('it is in the audit log, with who decided', async (t) => {
  await set(admin, { agents: 'read' })
  const [last] = await db.query('select action, outcome, actor, w.slug from audit_events a join workspaces w on w.id = a.workspace_id order by a.id desc limit 1')
  t.same(last, { action: 'web/updateWorkspace agents read', outcome: 'ok', actor: admin.email, slug: 'kiln' })
})
