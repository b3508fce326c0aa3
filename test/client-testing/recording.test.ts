// record and replay: a recording as a server, against a server, and files that are no use.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { readRecording } from '../../src/client-testing/recording/read-recording.js'
import { startRecorder } from '../../src/client-testing/recording/record.js'
import { replayChecks } from '../../src/client-testing/recording/replay-checks.js'
import { replayToServer } from '../../src/client-testing/recording/replay-client.js'
import { startReplayServer } from '../../src/client-testing/recording/replay-server.js'
import { startProxy } from '../../src/client-testing/proxy/proxy.js'
import { isRequest } from '../../src/client-testing/proxy/exchange.js'
import { withResult } from '../../src/client-testing/proxy/reply.js'
import { createRedactor } from '../../src/client-testing/redact.js'
import { startTestServer, createTestToken } from '../../src/client-testing/test-server.js'
import { commandLine, noDatabase } from '../helpers/command-line.js'
import { runClient } from './client/work.js'

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } })
const LIST_HEADERS = {
  'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list'
}

const node = (script: string): string[] => [process.execPath, '-e', script]
const never = new AbortController().signal
const token = createTestToken()
const server = await startTestServer(token)
t.teardown(() => server.close())
t.testdir()

const recordSession = async (era: 'legacy' | 'modern') => {
  const file = join(t.testdirName, `${era}.ndjson`)
  const recorder = await startRecorder({ target: server.url, token, file })
  t.match(await runClient({ url: recorder.url, token: 'another-token-of-the-client', era, defects: [] }), { exitCode: 0 }, 'the client works through the recorder')
  await recorder.close()
  return file
}
const files = { legacy: await recordSession('legacy'), modern: await recordSession('modern') }

for (const [era, file] of Object.entries(files) as Array<['legacy' | 'modern', string]>) {
  t.test(`a session of the ${era} era`, async (t) => {
    t.equal(statSync(file).mode & 0o777, 0o600)
    const { exchanges, notes } = await readRecording(file)
    t.ok(exchanges.length > 5)
    t.strictSame(notes, [])
    const replay = await startReplayServer({ exchanges, speed: Infinity })
    t.teardown(() => replay.close())
    const differing = () => replayChecks(exchanges, replay, createRedactor()).filter(({ status }) => status !== 'passed').map(({ id, group }) => ({ id, group }))
    t.match(await runClient({ url: replay.url, token: 'any', era, defects: [] }), { exitCode: 0 })
    t.strictSame(differing(), [], 'as a server to the client that recorded it')
    const message = { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'other' } }
    const reply = await fetch(replay.url, { method: 'POST', body: JSON.stringify(message) })
    t.match(await reply.json(), { id: 1, error: { message: 'The recording has no reply to this request.' } })
    t.match(differing(), [{ id: /^beyond-\d+-prompts\/get$/, group: 'beyond the recording' }])

    const changed = await startProxy({
      target: server.url,
      interceptor: {
        reply: (reply, call) => !isRequest(call, 'tools/list')
          ? reply
          : withResult(reply, call, (result) => JSON.parse(JSON.stringify(result).replace('Lists the workspaces.', 'Lists all workspaces.')))
      }
    })
    t.teardown(() => changed.close())
    const against = async (target: URL, own = token, some = exchanges) =>
      (await replayToServer({ exchanges: some, target, token: own, signal: never })).filter(({ status }) => status === 'failed').map(({ detail }) => detail)
    t.strictSame(await against(server.url), [], 'the server that it was recorded from')
    const [detail, ...more] = await against(new URL(changed.url))
    t.match(detail, 'result.tools[1].description: "Lists the workspaces." was recorded, now it is "Lists all workspaces."')
    t.strictSame(more, [])
    t.match(await against(server.url, 'wrong', exchanges.slice(0, 2)), [/now it is 401/, /now it is 401/], 'a server that refuses the credential')
  })
}

t.test('secrets, planted everywhere, are in no recording', async (t) => {
  const file = join(t.testdir(), 'secrets.ndjson')
  const recorder = await startRecorder({ target: server.url, token, file })
  const secrets = {
    own: 'client-credential-4711-abcdef', key: 'svc_pat_ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', openai: 'sk-proj-abcdefghijklmnopqrstuvwx', github: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789', password: 'correct-horse-battery'
  }
  const all = Object.values(secrets)
  const post = (body: unknown) => fetch(`${recorder.url}?api_key=${secrets.openai}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secrets.own}`,
      cookie: `session=${secrets.github}`,
      'x-api-key': secrets.openai,
      'user-agent': `agent ${secrets.key} ${secrets.own}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      [`x-${secrets.key.toLowerCase()}`]: '1'
    },
    body: typeof body === 'string' ? body : JSON.stringify(body)
  }).then((reply) => reply.text())
  await post({
    jsonrpc: '2.0',
    id: secrets.github,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: secrets.key, version: secrets.own }, [secrets.github]: { password: secrets.password, apiKey: secrets.password, client_secret: secrets.password }
    }
  })
  await post(`no JSON: password=${secrets.password} ${Buffer.from(`x${secrets.own}`).toString('base64')} Bearer ${secrets.openai}`)
  await post({ jsonrpc: '2.0', id: 2, result: { action: 'accept', content: { answer: secrets.password } } })
  await post({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: all.join(' '), arguments: { note: `password: ${secrets.password}`, list: all.slice(0, 4) } } })
  await recorder.close()
  const text = readFileSync(file, 'utf8')
  for (const secret of [...all, token, Buffer.from(`x${secrets.own}`).toString('base64').slice(4, -4)]) t.notOk(text.includes(secret), secret)
  t.ok((await readRecording(file)).exchanges.length === 4)
})

t.test('the credential of a recorder serves no page in a browser and no other user of the machine', async (t) => {
  const recorder = await startRecorder({ target: server.url, token, file: join(t.testdir(), 'session.ndjson') })
  t.teardown(() => recorder.close())
  const { port, pathname } = new URL(recorder.url)
  const status = (path: string, headers: Record<string, string>): Promise<number | undefined> => new Promise((resolve, reject) => {
    const call = request({ port, path, method: 'POST', headers: { ...LIST_HEADERS, ...headers } }, (reply) => {
      reply.resume()
      resolve(reply.statusCode)
    })
    call.on('error', reject)
    call.end(LIST)
  })
  t.match(pathname, /^\/[0-9a-f]{32}\/mcp$/)
  t.equal(await status(pathname, { host: `127.0.0.1:${port}` }), 200)
  t.equal(await status(pathname, { host: `localhost:${port}`, origin: `http://localhost:${port}` }), 200, 'its own origin')
  t.equal(await status('/mcp', { host: `127.0.0.1:${port}` }), 404, 'without the path that it printed')
  t.equal(await status(`/${'0'.repeat(32)}/mcp`, { host: `127.0.0.1:${port}` }), 404)
  const rebound = { host: `rebind.evil.example:${port}`, origin: `http://rebind.evil.example:${port}` }
  t.equal(await status('/mcp', rebound), 404)
  t.equal(await status(pathname, rebound), 403, 'another name, even with the path')
  t.equal(await status(pathname, { host: 'localhost:1' }), 403)
  t.equal(await status(pathname, { host: `127.0.0.1:${port}`, origin: 'http://evil.example' }), 403, "the server's answer to a foreign origin")
  const text = readFileSync(join(t.testdirName, 'session.ndjson'), 'utf8')
  t.notMatch(text, pathname.slice(1, 33), 'the path is not recorded')
})

t.test('a recording without a command ends after --for', async (t) => {
  const dir = t.testdir({ token })
  const output = join(dir, 'session.ndjson')
  const { run } = commandLine(t, { data: join(dir, 'data') })
  const { code, out } = await run(['record', '--to', server.url.href, '--token-file', join(dir, 'token'), '--for', '1', '--output', output])
  t.equal(code, 0)
  t.match(out, /^MCP_URL=http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/mcp\nConnect clients, then wait 1 s or press Ctrl-C\.\n0 exchanges are in /)
  const [, url = ''] = /MCP_URL=(\S+)/.exec(out) ?? []
  await t.rejects(fetch(url, { method: 'POST' }), 'its port is closed')
})

t.test('files that are no use, and one that is there already', async (t) => {
  const dir = t.testdir({ 'there.ndjson': 'mine' })
  const text = readFileSync(files.legacy, 'utf8')
  const lines = text.split('\n')
  const body = `${JSON.stringify({ format: 'exploration-mcp-recording', version: 1 })}\n{"number":1}\n`
  const end = JSON.stringify({ end: true, exchanges: 1, sha256: createHash('sha256').update(body).digest('hex') })
  const bad = join(dir, 'bad.ndjson')
  const { run } = commandLine(t, { data: join(dir, 'data'), openBackend: noDatabase })
  for (const [content, sentence] of [
    [`${lines.slice(0, -2).join('\n')}\n`, /is cut/],
    [text.slice(0, -30), /is cut/],
    [text.replace('Partial refunds', 'Partial refund'), /was changed after it was recorded/],
    [lines.toSpliced(2, 1).join('\n'), /was changed/],
    [text.replace('"version":1', '"version":2'), /version 2; this program reads version 1/],
    ['', /is no recording/],
    ['Dear reader\n', /is no recording/],
    ['{"some":"json"}\n', /line 1 is no exchange/],
    [`${body}${end}\n`, /line 2 is no exchange/]
  ] as const) {
    writeFileSync(bad, content)
    t.match(await run(['replay', bad, '--serve']), { code: 8, err: sentence }, String(sentence))
  }
  truncateSync(bad, 129 * 1024 * 1024)
  t.match(await run(['replay', bad, '--serve']), { code: 8, err: /too large/ })
  t.match(await run(['replay', 'nowhere.ndjson', '--serve']), { code: 8, err: /cannot be read/ })
  t.match(await run(['replay', files.legacy]), { code: 2, err: /either --serve/ })
  t.match(await run(['record', '--to', 'http://127.0.0.1:9/mcp', '--output', join(dir, 'there.ndjson')]), { code: 1, err: /exists already/ })
  t.equal(readFileSync(join(dir, 'there.ndjson'), 'utf8'), 'mine')
})

t.test('commands of record and replay that do not start, connect or end', async (t) => {
  const dir = t.testdir()
  const { run } = commandLine(t, { data: join(dir, 'data'), openBackend: noDatabase })
  const endless = node('setInterval(() => {}, 1000)')
  const asks = node('fetch(process.env.MCP_URL, { method: "POST", body: "{}" }).then((reply) => reply.text()); setInterval(() => {}, 1000)')
  const record = ['record', '--to', server.url.href, '--timeout', '1', '--output']
  const replay = ['replay', files.legacy, '--serve', '--timeout', '1', '--']
  await Promise.all(([
    [3, /cannot be started/, [...record, join(dir, 'not-started'), '--', '/no/such/command']],
    [4, /sent no request/, [...record, join(dir, 'silent'), '--', ...node('')]],
    [4, /sent no request/, [...record, join(dir, 'endless'), '--', ...endless]],
    [5, /did not end in time/, [...record, join(dir, 'kept'), '--', ...asks]],
    [2, /^"ftp:\/\/example.com" is no address of an MCP endpoint/, ['record', '--to', 'ftp://example.com', '--output', join(dir, 'x')]],
    [3, /cannot be started/, [...replay, '/no/such/command']],
    [5, /did not end in time/, [...replay, ...endless]]
  ] as const).map(async ([code, err, words]) => t.match(await run([...words]), { code, err }, words.join(' '))))
  t.strictSame(readdirSync(dir).filter((name) => !['data', 'home'].includes(name)), ['kept'], 'no recording without an exchange')
  t.equal((await readRecording(join(dir, 'kept'))).exchanges.length, 1)
})

t.test('the credential may be one of any server', async (t) => {
  const foreign = 'eyJhbGciOi.J9-_~+/x=='
  // The server takes what follows a full stop for the name of a client.
  const server = await startTestServer('eyJhbGciOi')
  t.teardown(() => server.close())
  const dir = t.testdir({ token: `${foreign}\n`, page: '<html>\ntwo words</html>' })
  const { run } = commandLine(t, { data: join(dir, 'data') })
  const [file, page] = [join(dir, 'session.ndjson'), join(dir, 'page')]
  const asks = `fetch(process.env.MCP_URL, ${JSON.stringify({ method: 'POST', headers: LIST_HEADERS, body: LIST })})
    .then((reply) => { if (reply.status !== 200) process.exit(1); return reply.text() })`
  const record = (secret: string) => run(['record', '--to', server.url.href, '--output', file, '--token-file', secret, '--', ...node(asks)])
  t.match(await record(page), { code: 1, err: /is no bearer token/ })
  t.match(await record(join(dir, 'token')), { code: 0 })
  t.notMatch(readFileSync(file, 'utf8'), foreign.slice(0, 12))
  t.equal((await readRecording(file)).exchanges[0]?.status, 200)
  t.match(await run(['replay', file, '--url', server.url.href, '--token-file', join(dir, 'token')]), { code: 0 })
})
