// What stands around a message: Authorization, Host and the request target as sent by hand, and the headers of every reply; what is
// announced; and what no database can store.
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { able, build, handshake, legacy, modern, modernRequest } from '../helpers/build.js'

const TOKEN = 'p'.repeat(40)

t.test('by hand', async (t) => {
  const { app, key, narrowKey, log } = await build(t, { platformToken: TOKEN, failedAuthPerMinute: '1000', logLevel: 'error' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo

  /** Status and headers of what is answered to these lines. */
  const send = async (requestLine: string, lines: string[], body = '') => {
    const socket = connect(port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.write(
      [`${requestLine} HTTP/1.1`, ...lines, `content-length: ${Buffer.byteLength(body)}`, 'connection: close', '', body].join('\r\n')
    )
    const reply = await text(socket)
    const [head = '', rest = ''] = reply.split('\r\n\r\n')
    const [status = '', ...headers] = head.split('\r\n')
    return {
      status: Number(status.split(' ')[1]),
      headers: Object.fromEntries(headers.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)])),
      body: rest
    }
  }
  const { headers, body } = modernRequest(key, 'tools/list')
  const mcp = Object.entries(headers).filter(([name]) => name !== 'authorization').map(([name, value]) => `${name}: ${value}`)
  const call = (authorization: string[], target = '/mcp', host = 'localhost') =>
    send(`POST ${target}`, [`host: ${host}`, ...mcp, ...authorization.map((value) => `authorization: ${value}`)], body)
  const get = (path: string, authorization: string[], host = 'localhost') =>
    send(`GET ${path}`, [`host: ${host}`, ...authorization.map((value) => `authorization: ${value}`)])

  await t.test('two Authorization headers are refused, whichever is right', async (t) => {
    for (const two of [[`Bearer ${key}`, `Bearer ${narrowKey}`], [`Bearer ${key}`, 'Bearer x'], ['Bearer x', `Bearer ${key}`], [`Bearer ${key}`, `Bearer ${key}`]]) {
      const reply = await call(two)
      t.equal(reply.status, 400)
      t.match(reply.body, /There are 2 Authorization headers/)
      t.equal((await get('/api/v1/token', two)).status, 400)
    }
    t.equal((await get('/api/v1/platform', [`Bearer ${TOKEN}`, 'Bearer x'])).status, 400)
  })

  await t.test('the scheme in any case, then one space', async (t) => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      t.equal((await call([`${scheme} ${key}`])).status, 200, scheme)
      t.equal((await get('/api/v1/token', [`${scheme} ${key}`])).status, 200)
      t.equal((await get('/api/v1/platform', [`${scheme} ${TOKEN}`])).status, 200)
    }
    for (const wrong of [`Bearer  ${key}`, `Bearer\t${key}`, `Bearer:${key}`, `Bearer${key}`, `Token ${key}`, key]) t.equal((await call([wrong])).status, 401, wrong)
  })

  await t.test('a foreign host, in Host or in the request target', async (t) => {
    const auth = [`Bearer ${key}`]
    for (const host of ['127.0.0.1', 'localhost:8080', '[::1]:80', 'LOCALHOST']) t.equal((await call(auth, '/mcp', host)).status, 200, host)
    for (const host of ['evil.example', 'localhost.evil.example', 'localhost.']) t.equal((await call(auth, '/mcp', host)).status, 403, host)
    for (const host of ['evil.com@localhost', 'localhost/evil.com', 'localhost?x', 'localhost#x', 'localhost\\evil.com', 'localhost:80:80', 'local host', 'a,localhost']) {
      t.equal((await call(auth, '/mcp', host)).status, 400, host)
      t.equal((await get('/api/v1/token', auth, host)).status, 400, host)
    }
    t.equal((await call(auth, 'http://localhost/mcp')).status, 200)
    for (const target of ['http://evil.example/mcp', 'HTTP://evil.example/mcp', 'https://evil.example:443/mcp']) {
      t.equal((await call(auth, target)).status, 403, target)
    }
    t.ok((await call(auth, 'http://evil.com@localhost/mcp')).status >= 400)
  })

  await t.test('every reply says that its type is its type, and that it depends on the origin', async (t) => {
    const replies = [
      await call([`Bearer ${key}`]), await call([]), await get('/livez', []), await get('/nothing', []), await get('/device', []),
      await get('/api/v1/token', []), await get('/api/v1/platform', []), await send('OPTIONS /mcp', ['host: localhost'])
    ]
    for (const { status, headers } of replies) t.match(headers, { 'x-content-type-options': 'nosniff', vary: /^Origin\b/ }, `${status}`)
    const stream = await send('POST /mcp', ['host: localhost', `authorization: Bearer ${key}`, ...mcp.map((line) => line.replace('tools/list', 'nothing'))], '{')
    t.match(stream.headers, { 'x-content-type-options': 'nosniff' })
  })

  await t.test('no tool goes on as a task, so no tasks are announced', async (t) => {
    const _meta = able({ extensions: { 'io.modelcontextprotocol/tasks': {} } })
    const { text } = await modern(app, key, 'server/discover', { _meta })
    t.match(text, '"capabilities"')
    t.notMatch(text, 'io.modelcontextprotocol/tasks')
    t.match((await modern(app, key, 'tasks/get', { taskId: 'x', _meta }, { 'mcp-name': 'x' })).text, '-32601')
  })

  await t.test('text and times that no database can store are the mistake of the client: no 500, no -32603, no error in the log', async (t) => {
    const session = await handshake(app, key)
    for (const bad of ['a\0b', '\ud800', '\udc00x']) {
      for (const method of ['resources/subscribe', 'resources/unsubscribe', 'resources/read']) {
        t.match((await legacy(app, key, session, method, { uri: `service://exploration/${bad}` })).text, /-3260[0-2]|-32002/, method)
      }
      t.equal((await modern(app, key, 'subscriptions/listen', { notifications: { resourceSubscriptions: [bad] } })).status, 400)
    }
    for (const [id, at] of [['x', '9999-99-99T00:00:00.000Z'], ['x', '2026-13-40T00:00:00.000Z'], ['a\0b', '2026-12-01T00:00:00.000Z']]) {
      const { statusCode, body } = await app.inject({
        method: 'POST', url: '/api/v1/sessions/ended', headers: { authorization: `Bearer ${TOKEN}`, host: 'localhost' }, payload: { session_id: id, expires_at: at }
      })
      t.equal(statusCode, 400, `${id} ${at}: ${body}`)
    }
    const asked = await app.inject({ method: 'POST', url: '/api/v1/device/authorization', headers: { host: 'localhost' }, payload: { client_id: 'c', name: ' ' } })
    t.equal(asked.statusCode, 200, 'a name of spaces is none')
    t.same(log, [])
  })
})
