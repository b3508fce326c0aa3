// A platform decides by its token what agents may do in its workspaces; and nothing else of them.
import t from 'tap'
import { TOKEN } from '../../helpers/platform.js'
import { webServer } from '../../helpers/web.js'

const { app, db } = await webServer(t, { platformToken: TOKEN })
const patch = async (body: object, token = TOKEN, workspace = 'kiln') => {
  const reply = await app.inject({
    method: 'PATCH', url: `/api/v1/workspaces/${workspace}`, headers: { host: 'localhost', authorization: `Bearer ${token}` }, payload: body
  })
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() }
}

t.test('what agents may do', async (t) => {
  t.match(await patch({ agents: 'propose' }), { status: 200, body: { slug: 'kiln', agents: 'propose', gains: [] } })
  t.match(await patch({ agents: 'read' }), { status: 200, body: { agents: 'read' } })
  for (const body of [{ name: 'Other' }, { agents: 'read', archived: true }, {}, { agents: 'write' }]) t.equal((await patch(body)).status, 400, JSON.stringify(body))
  t.equal((await patch({ agents: 'report' }, 'another token')).status, 401)
  t.equal((await patch({ agents: 'report' }, TOKEN, 'nowhere')).status, 404)
  t.same(await db.query("select actor, action from audit_events where action like 'workspace/%' order by id"), [
    { actor: 'the platform', action: 'workspace/changed agents propose' }, { actor: 'the platform', action: 'workspace/changed agents read' }
  ])
  t.same(await db.query("select agents from workspaces where slug = 'kiln'"), [{ agents: 'read' }])
})
