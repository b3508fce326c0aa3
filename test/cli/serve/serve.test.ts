import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { DataFolder } from '../../../src/server/data-folder.js'
import { commandLine } from '../../helpers/command-line.js'
import { listeningPort } from '../../helpers/listening-port.js'

t.test('a start on a known database says where the pages are and how to sign in, and it stops when asked', async (t) => {
  const cli = commandLine(t)
  await cli.json('users create --email a@example.com --name A')
  const { hello, stop } = await cli.serve()
  t.match(hello, new RegExp(String.raw`^Serving on http://127\.0\.0\.1:(\d+)/mcp\n` +
    String.raw`The pages are at http://localhost:\1\. This prints a link to sign in with:\n\n` +
    String.raw` {2}exploration-mcp sign-in-link --user EMAIL\n\n$`))
  t.match(await stop(), { code: 0, err: '' })
  t.ok(readFileSync(join(cli.data, 'session-secret'), 'utf8').length > 32)
})

t.test('an empty database without the sample says what to do next', async (t) => {
  const { hello, stop } = await commandLine(t).serve('serve --port 0 --no-sample')
  t.match(hello, /users create/)
  t.equal((await stop()).code, 0)
})

t.test('the first start with the sample prints a key, a curl line and the client entry', async (t) => {
  const cli = commandLine(t)
  const { hello, stop } = await cli.serve('serve --port 0')
  t.match(hello, /as mira\.okafor@example\.com\. The link works once, until \d\d:\d\d UTC:\n\n {2}http:\/\/localhost:\d+\/sign-in#token=svc_link_[A-Z2-7]{52}\n/)
  const key = /svc_key_\S+/.exec(hello)?.[0]
  t.ok(key)
  t.match(hello, `-H 'Authorization: Bearer ${key}'`)
  t.match(hello, "-H 'Accept: application/json, text/event-stream'")
  const entry = JSON.parse(/^ +(\{"type":"http".*\})$/m.exec(hello)?.[1] ?? '')
  t.match(entry, { type: 'http', url: /^http:\/\/127\.0\.0\.1:\d+\/mcp$/, headers: { Authorization: `Bearer ${key}` } })
  const curl = /^ +(curl .*)$/m.exec(hello)?.[1] ?? ''
  const answer = JSON.parse((await promisify(execFile)('sh', ['-c', curl])).stdout)
  t.ok(answer.result.tools.length > 0, 'the line works as it is printed')
  await stop()
  const second = await cli.serve('serve --port 0')
  t.match(second.hello, /^Serving on \S+\nThe pages are at \S+ .*:\n\n {2}exploration-mcp sign-in-link\n\n$/)
})

t.test('--json prints one object', async (t) => {
  const { hello } = await commandLine(t).serve('serve --port 0 --no-sample --json')
  t.match(JSON.parse(hello), { endpoint: /\/mcp$/ })
})

t.test('a public address is what clients are told', async (t) => {
  const { hello } = await commandLine(t, { env: { PUBLIC_URL: 'https://plans.example/base' } }).serve()
  t.match(hello, 'https://plans.example/base/mcp')
})

t.test('a port or a folder in use is one sentence', async (t) => {
  const cli = commandLine(t)
  const port = await listeningPort(t, createServer())
  t.match(await cli.run(`serve --no-sample --port ${port}`), {
    code: 1, out: '', err: `Port ${port} of 127.0.0.1 is in use: stop what uses it, or choose another with --port.\n`
  })

  await cli.serve()
  t.match(await cli.run('serve --no-sample --port 0'), {
    code: 1, out: '', err: new RegExp(`^The data folder .* is in use by process ${process.pid}: .*\n$`)
  })
})

t.test('a port in use does not use up the first start: the next one prints the key', async (t) => {
  const cli = commandLine(t)
  const port = await listeningPort(t, createServer())
  for (const line of [`serve --port ${port}`, `serve --port 0 --metrics-port ${port}`]) {
    t.match(await cli.run(line), { code: 1, out: '', err: new RegExp(`^Port ${port} of `) })
  }
  t.match((await cli.serve('serve --port 0')).hello, /svc_key_/)
})

t.test('a command waits for an owner that does not answer yet', async (t) => {
  const cli = commandLine(t)
  const starting = (await DataFolder.take(cli.data, process.pid))!
  const listing = cli.run('users list')
  await new Promise((resolve) => setImmediate(resolve))
  await starting.release()
  t.match(await listing, { code: 0 })
})

t.test('observe: on its own it serves, says what clients do wrong as it happens, and reports at the end', async (t) => {
  const cli = commandLine(t)
  await cli.json('users create --email a@example.com --name A')
  const { key } = await cli.json<{ key: string }>('keys create --user a@example.com --name k --scope read')
  const { hello, said, stop } = await cli.serve('observe --port 0 --no-sample')
  const call = (accept: string) => fetch(/http:\S+/.exec(hello)![0], {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, accept, 'content-type': 'application/json', 'user-agent': 'probe' },
    body: '{}'
  }).then((reply) => reply.text())
  await call('text/html')

  t.match(
    await cli.json('observe'),
    { clients: [{ name: null, user_agent: 'probe', findings: [{ rule: 'accept-incomplete', count: 1 }] }] }
  )
  const once = await cli.run('observe --once')
  t.match(
    once.out,
    /unnamed \(probe\) .* MUST +accept-incomplete +1 +Accept: text\/html +2025-11-25 basic\/transports#sending-messages-to-the-server/
  )
  t.equal((await stop()).code, 0)
  t.match(said(), /MUST accept-incomplete – unnamed \(probe\): The Accept header/)
  t.match(said(), /^CLIENT +REVISIONS/m)
})

t.test('a server that does not observe says how it would', async (t) => {
  const cli = commandLine(t)
  await cli.serve()
  t.match(await cli.run('observe --once'), { code: 1, err: /start it with --observe/ })
})
