import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { DataFolder } from '../../../src/server/data-folder.js'
import { baseline, everyFormat } from '../../client-testing/report-files.js'
import { commandLine } from '../../helpers/command-line.js'
import { listeningPort } from '../../helpers/listening-port.js'

t.test('a start says where the pages are and how to sign in, on an empty database what to do next; it stops when asked', async (t) => {
  const cli = commandLine(t)
  const empty = await cli.serve()
  t.match(empty.hello, /users create/)
  await empty.stop()
  await cli.json('users create --email a@example.com --name A')
  const { hello, stop } = await cli.serve()
  t.match(hello, new RegExp(String.raw`^Serving on http://127\.0\.0\.1:(\d+)/mcp\n` +
    String.raw`The pages are at http://localhost:\1\. This prints a link to sign in with:\n\n` +
    String.raw` {2}exploration-mcp sign-in-link --user EMAIL\n\n$`))
  t.match(await stop(), { code: 0, err: '' })
  t.ok(readFileSync(join(cli.data, 'session-secret'), 'utf8').length > 32)
  const known = commandLine(t, { data: cli.data, env: { PUBLIC_URL: 'https://plans.example/base' } })
  t.match((await known.serve()).hello, 'https://plans.example/base/mcp')
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

t.test('a port or a folder in use is one sentence, and does not use up the first start: the next one prints the key', async (t) => {
  const cli = commandLine(t)
  const port = await listeningPort(t, createServer())
  for (const [line, option] of [[`serve --port ${port}`, 'port'], [`serve --port 0 --metrics-port ${port}`, 'metrics-port']]) {
    t.match(await cli.run(line!), {
      code: 1, out: '', err: `Port ${port} of 127.0.0.1 is in use: stop what uses it, or choose another with --${option}.\n`
    })
  }
  t.match((await cli.serve('serve --port 0')).hello, /svc_key_/)
  t.match(await cli.run('serve --no-sample --port 0'), {
    code: 1, out: '', err: new RegExp(`^The data folder .* is in use by process ${process.pid}: .*\n$`)
  })
  t.match(await cli.run('observe --once'), { code: 1, err: /start it with --observe/ }, 'one that does not observe')
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
  const dir = t.testdir()
  const { words, read } = everyFormat(dir)
  const cli = commandLine(t, { data: join(dir, 'data') })
  await cli.json('users create --email a@example.com --name A')
  const { key } = await cli.json<{ key: string }>('keys create --user a@example.com --name k --scope read')
  const { hello, said, stop } = await cli.serve(`observe --port 0 --no-sample ${words.join(' ')}`)
  const reply = await fetch(/http:\S+/.exec(hello)![0], {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, accept: 'text/html', 'content-type': 'application/json', 'user-agent': 'probe' },
    body: '{}'
  })
  await reply.text()

  t.match(await cli.json('observe'), { clients: [{ name: null, user_agent: 'probe', findings: [{ rule: 'accept-incomplete', count: 1 }] }] })
  const once = (...more: string[]) => cli.run(['observe', '--once', ...more])
  t.match(await once(...words), {
    code: 0, out: /unnamed \(probe\) .* MUST +accept-incomplete +1 +Accept: text\/html +2025-11-25 basic\/transports#sending-messages-to-the-server/
  }, 'findings alone make no exit code')
  const report = read(t)
  t.match(report, { command: 'observe' })
  const finding = (id: string) => (JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8')) as typeof report).checks.find((check) => check.id === id)
  t.match(finding('accept-incomplete'), { status: 'failed', group: 'unnamed (probe)' })
  t.match(finding('batch-sent'), { status: 'passed', outcome: 'not violated' })
  t.match(await once('--fail-on', 'must'), { code: 1, err: /checks? of a MUST failed/ })
  const known = report.checks.filter(({ status }) => status === 'failed').map(({ id }) => id)
  t.match(await once('--baseline', baseline(dir, known)), { code: 0 })

  t.equal((await stop()).code, 0)
  t.match(said(), /MUST accept-incomplete – unnamed \(probe\): The Accept header/)
  t.match(said(), /^CLIENT +REVISIONS/m)
  t.match(finding('accept-incomplete'), { status: 'failed' }, 'the server that observe starts reports at its end')
  for (const option of ['--once', '--json']) {
    t.match(await cli.run(['observe', option, '--port', '0']), { code: 1, err: /^No server runs in this data folder/, out: '' }, option)
  }
})

t.test('health: ready, alive, not ready while it is stopping, and gone', async (t) => {
  const line = commandLine(t, { env: { DRAIN_SECONDS: '1' } })
  const { hello, stop } = await line.serve()
  const port = /:(\d+)\/mcp/.exec(hello)![1]!
  t.match(await line.json(`health --port ${port}`), { status: 'ok', checks: { database: 'ok', draining: false } })
  t.same(await line.run(`health --live --port ${port}`), { code: 0, out: 'The server is running.\n', err: '' })
  const stopped = stop()
  t.match(await line.run(`health --port ${port}`), { code: 1, err: /"draining":true/ })
  t.match(await line.run(`health --live --port ${port}`), { code: 0 })
  await stopped
  t.match(await line.run(`health --port ${port}`), { code: 1, out: '', err: `Nothing answers at http://127.0.0.1:${port}/readyz.\n` })
})

t.test('health: what answers instead of the server is read up to a bound, and not shown', async (t) => {
  for (const body of ['x', '[]', `{"status":"${'ok'.repeat(100_000)}"}`]) {
    const port = await listeningPort(t, createHttpServer((_request, reply) => { reply.end(body) }))
    t.same(await commandLine(t).run(`health --port ${port}`), {
      code: 1, out: '', err: `What answers at http://127.0.0.1:${port}/readyz is not an exploration-mcp server.\n`
    }, body.slice(0, 10))
  }
})
