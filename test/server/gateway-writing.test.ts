// A gateway shows the eight tools alone, whatever its platform lets agents do.
import t from 'tap'
import { tools } from '../../src/planning/tools/index.js'
import { readingTools } from '../helpers/reading-tools.js'
import { modern } from '../helpers/build.js'
import { frontOf, platformServer } from '../helpers/platform.js'

interface Reply { result: { tools: Array<{ name: string }> }, error: { code: number } }

t.test('agents only read at a gateway', async (t) => {
  const platform = await platformServer(t)
  const { db, people, credentials, app, url } = platform
  const [workspace] = await db.query<{ id: string }>("update workspaces set agents = 'report' where slug = 'kiln' returning id")
  const { id: user } = await people.createUser({ email: 'writer@example.com', name: 'Writer', kind: 'person' })
  await people.addMember({ user, workspace: workspace!.id, role: 'editor' })
  const { key } = await credentials.createKey({ user, name: 'builder', scope: 'read_write' })
  const list = async (server: typeof app) => (await modern<Reply>(server, key, 'tools/list')).body.result.tools.map(({ name }) => name)
  t.same(await list(app), tools.map(({ name }) => name), 'the platform itself')

  const front = await frontOf(t, url)
  t.same(await list(front.app), readingTools.map(({ name }) => name))
  t.match((await modern<Reply>(front.app, key, 'tools/call', { name: 'claim_item', arguments: {} })).body.error, { code: -32602 })
  t.match((await modern(front.app, key, 'server/discover')).text, /"tools":\{\}/, 'its list does not change')
})
