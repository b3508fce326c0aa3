// A tool that returns a promise occupies its slot until the promise is settled, also when it is rejected.
import fastify from 'fastify'
import { createMcpPlugin, result, type Tool } from 'exploration-mcp/engine'
import t from 'tap'
import { until } from '../../helpers/until.js'

const request = (id: number) => ({
  method: 'POST',
  url: '/mcp',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'wait'
  },
  payload: {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: {
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} },
      name: 'wait'
    }
  }
} as const)

t.test('one call at a time, four wait, more are refused', async (t) => {
  const begun: Array<{ succeed (): void, fail (error: Error): void }> = []
  const wait: Tool = {
    name: 'wait',
    description: 'Waits.',
    input: { type: 'object', additionalProperties: false },
    run: () => new Promise((resolve, reject) => {
      begun.push({ succeed: () => { resolve(result({}, 'done')) }, fail: reject })
    })
  }
  const app = fastify()
  t.teardown(() => app.close())
  const plugin = createMcpPlugin({
    server: { name: 'slots', version: '1' }, tools: [wait], limits: { maxConcurrentCalls: 1 }, onUnexpectedError: () => {}
  })
  await app.register(plugin)

  const statuses: number[] = []
  const calls = Array.from({ length: 6 }, async (_, id) => { statuses.push((await app.inject(request(id))).statusCode) })
  await until(() => statuses.length === 1 || begun.length > 1)
  t.same(statuses, [429])
  t.equal(begun.length, 1)
  begun[0]!.fail(new Error('a tool that fails'))
  for (let next = 1; next < 5; next++) {
    await until(() => begun.length > next)
    t.equal(begun.length, next + 1, 'the next one alone')
    begun[next]!.succeed()
  }
  // None waits for ever when more have begun than should.
  for (const call of begun) call.succeed()
  await Promise.all(calls)
  t.same(statuses.toSorted((one, other) => one - other), [200, 200, 200, 200, 429, 500])
})
