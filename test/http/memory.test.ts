// What is answered leaves nothing behind.
// @no-services: the memory of this process
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { build, meta, MODERN, post } from '../helpers/build.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const PART = 40
const MAX_PARTS = 20
// More than the program itself still learns in a part, less than a request and its reply.
const LEAST_LEAK = 1000

const { app, key, db } = await build(t, {
  logLevel: 'silent', rateLimitReadPerMinute: '1000000', rateLimitReadPerDay: '1000000'
})
const [exploration] = await db.query<{ id: string }>('select id from explorations limit 1')

const held = async (): Promise<number> => {
  for (let n = 0; n < 3; n++) {
    await new Promise((resolve) => { setImmediate(resolve) })
    collect()
  }
  return process.memoryUsage().heapUsed
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
}
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_exploration', arguments: { exploration_id: exploration!.id } } }
const modernCall = { ...call, params: { ...call.params, _meta: meta() } }
const asModern = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'get_exploration' }
const { headers } = await post(app, key, initialize)
const session = { 'mcp-session-id': String(headers['mcp-session-id']) }

t.test('a modern call, a call of a session, a session that no one comes back to', async (t) => {
  const part = async (): Promise<number> => {
    for (let n = 0; n < PART; n++) {
      const replies = [await post(app, key, modernCall, asModern), await post(app, key, call, session), await post(app, key, initialize)]
      if (replies.some(({ status }) => status !== 200)) throw new Error('not answered')
    }
    return await held()
  }
  // In the first part that leaves less than a leak would, else in the one that left the least: what leaks does so in each part, what the
  // program learns about itself comes to an end.
  let least = Infinity
  let size = await part()
  for (let n = 0; n < MAX_PARTS && least >= LEAST_LEAK; n++) {
    const former = size
    size = await part()
    least = Math.min(least, (size - former) / PART)
  }
  t.ok(least < LEAST_LEAK, `${Math.round(least)} bytes for each more`)
})
