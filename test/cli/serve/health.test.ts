import { createServer } from 'node:http'
import t from 'tap'
import { commandLine } from '../../helpers/command-line.js'
import { listeningPort } from '../../helpers/listening-port.js'

t.test('ready, alive, and gone', async (t) => {
  const line = commandLine(t)
  const { hello, stop } = await line.serve()
  const port = /:(\d+)\/mcp/.exec(hello)![1]!
  t.match(await line.json(`health --port ${port}`), { status: 'ok', checks: { database: 'ok', draining: false } })
  t.same(await line.run(`health --live --port ${port}`), { code: 0, out: 'The server is running.\n', err: '' })
  await stop()
  t.match(await line.run(`health --port ${port}`), {
    code: 1, out: '', err: `Nothing answers at http://127.0.0.1:${port}/readyz.\n`
  })
})

t.test('not ready while it is stopping', async (t) => {
  const line = commandLine(t, { env: { DRAIN_SECONDS: '2' } })
  const { hello, stop } = await line.serve()
  const port = /:(\d+)\/mcp/.exec(hello)![1]!
  const stopped = stop()
  t.match(await line.run(`health --port ${port}`), { code: 1, err: /"draining":true/ })
  t.match(await line.run(`health --live --port ${port}`), { code: 0 })
  await stopped
})

t.test('what answers instead of the server is read up to a bound, and not shown', async (t) => {
  for (const body of ['x', '[]', `{"status":"${'ok'.repeat(100_000)}"}`]) {
    const port = await listeningPort(t, createServer((_request, reply) => { reply.end(body) }))
    t.same(await commandLine(t).run(`health --port ${port}`), {
      code: 1, out: '', err: `What answers at http://127.0.0.1:${port}/readyz is not an exploration-mcp server.\n`
    }, body.slice(0, 10))
  }
})
