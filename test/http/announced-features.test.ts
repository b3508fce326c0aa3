// The product announces only what one of its tools can do.
// @no-services: what is announced
import t from 'tap'
import { able, build, modern } from '../helpers/build.js'

const ABLE = able({ extensions: { 'io.modelcontextprotocol/tasks': {} } })

t.test('no tool goes on as a task, so there are no tasks', async (t) => {
  const { app, key } = await build(t)
  const discovered = await modern(app, key, 'server/discover', { _meta: ABLE })
  t.equal(discovered.status, 200)
  t.match(discovered.text, '"capabilities"')
  t.notMatch(discovered.text, 'io.modelcontextprotocol/tasks')
  const polled = await modern(app, key, 'tasks/get', { taskId: 'x', _meta: ABLE }, { 'mcp-name': 'x' })
  t.match(polled.text, '-32601')
})
