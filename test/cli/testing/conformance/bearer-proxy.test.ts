// The proxy of the conformance command: adds the credential, passes streams on as they come, and names it does not know.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import t from 'tap'
import { bearerProxy } from '../../../../src/cli/testing/conformance/bearer-proxy.js'
import { tableOf, totalsOf } from '../../../../src/cli/testing/conformance/report.js'
import { listeningPort } from '../../../helpers/listening-port.js'

t.test('the proxy', async (t) => {
  const seen: IncomingHttpHeaders[] = []
  let finish = (): void => {}
  const target = createServer((request, reply) => {
    seen.push(request.headers)
    if (request.url === '/limited') reply.writeHead(429).end()
    else {
      reply.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n')
      finish = () => { reply.end('data: last\n\n') }
    }
  })
  const port = await listeningPort(t, target)
  const proxy = await bearerProxy(new URL(`http://127.0.0.1:${port}/mcp`), 'svc_key_X')
  t.teardown(() => proxy.close())
  const reply = await fetch(proxy.url, { headers: { origin: new URL(proxy.url).origin } })
  const reader = reply.body!.getReader()
  t.equal(Buffer.from((await reader.read()).value!).toString(), 'data: first\n\n', 'before the reply is over')
  finish()
  t.equal(Buffer.from((await reader.read()).value!).toString(), 'data: last\n\n')
  t.match(seen[0], { authorization: 'Bearer svc_key_X', host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` })
  const foreign = await fetch(proxy.url, { headers: { origin: 'https://evil.example' } })
  t.equal(seen[1]?.origin, 'https://evil.example')
  await foreign.body?.cancel()
  t.equal(proxy.limited(), 0)

  const limited = await bearerProxy(new URL(`http://127.0.0.1:${port}/limited`), undefined)
  t.teardown(() => limited.close())
  t.equal((await fetch(limited.url)).status, 429)
  t.equal(limited.limited(), 1)
  t.equal(seen[2]?.authorization, undefined)

  const unknown = await fetch(new URL('/mcp', proxy.url))
  t.equal(unknown.status, 404, 'without the path of its URL nothing is passed on')
  t.match(new URL(proxy.url).pathname, /^\/[0-9a-f]{32}\/mcp$/)
  t.equal(seen.length, 3)
})

t.test('the table', async (t) => {
  const scenario = { passed: 2, failed: 0, warnings: 0, skipped: 0, complaints: [] }
  const scenarios = [
    { ...scenario, name: 'one', revision: '2025-11-25' },
    { ...scenario, name: 'one', revision: '2026-07-28', failed: 1, complaints: ['x: broke'] },
    { ...scenario, name: 'two', revision: '2026-07-28', notScored: 'pending' }
  ]
  t.strictSame(totalsOf(scenarios).map(({ scenarios: count, passed, failed }) => [count, passed, failed]), [[1, 2, 0], [2, 4, 1]])
  const table = tableOf(scenarios)
  t.match(table, /^one +✓ 2\/2 +✗ 2\/3$/m)
  t.match(table, /^two +· +✓ 2\/2 \(pending\)$/m)
  t.match(table, /^2026-07-28 one: x: broke$/m)
})
