// @own-process: measures the heap
// What is answered leaves nothing behind.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { build, BOTH, meta, MODERN, post } from '../helpers/build.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const PART = 60
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

/**
 * Bytes for each more, in the first part that leaves less than a leak would, else in the one that left the least: what leaks does so in
 * each part, what the program learns about itself comes to an end.
 */
const growth = async (once: () => Promise<{ status: number }>): Promise<number> => {
  const part = async (): Promise<number> => {
    for (let n = 0; n < PART; n++) if ((await once()).status !== 200) throw new Error('not answered')
    return await held()
  }
  let least = Infinity
  let size = await part()
  for (let n = 0; n < MAX_PARTS && least >= LEAST_LEAK; n++) {
    const former = size
    size = await part()
    least = Math.min(least, (size - former) / PART)
  }
  return least
}

const call = { name: 'get_exploration', arguments: { exploration_id: exploration!.id } }
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
}

t.test('a modern call', async (t) => {
  const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': call.name }
  t.ok(
    await growth(() => post(app, key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call, _meta: meta() } }, headers)) < LEAST_LEAK
  )
})

t.test('a call of a session', async (t) => {
  const { headers } = await post(app, key, initialize)
  const session = { 'mcp-session-id': String(headers['mcp-session-id']), accept: BOTH }
  t.ok(await growth(() => post(app, key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }, session)) < LEAST_LEAK)
})

t.test('a session that no one comes back to', async (t) => {
  t.ok(await growth(() => post(app, key, initialize)) < LEAST_LEAK)
})
