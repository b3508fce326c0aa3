// Hostile connections: cut, half closed, slow, garbled, and very many. The server goes on serving, and keeps nothing of them.
// @no-services: the engine alone
import { connect, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import type { FastifyInstance } from 'fastify'
import { memoryChanges, type EngineLimits } from 'exploration-mcp/engine'
import { BOTH, handshake, meta, MODERN, modern } from '../../helpers/build.js'
import { runs } from '../../helpers/fuzzing.js'
import { resource, serveApp, tool } from '../serve.js'

const turn = () => new Promise<void>((resolve) => { setImmediate(resolve) })

const key = 'any'
const listening = async (t: Test, limits: EngineLimits = {}) => {
  const changes = memoryChanges()
  const unexpected: unknown[] = []
  const app = await serveApp(t, {
    tools: [tool('ping', async () => ({ content: [] }))],
    resources: [resource('x://y')],
    changes,
    limits: { maxStreams: 100_000, maxConcurrentCalls: 1000, ...limits },
    onUnexpectedError: (error) => { unexpected.push(error) }
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, changes, unexpected, port: (app.server.address() as AddressInfo).port }
}

const open = async (t: Test, port: number): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  t.teardown(() => socket.destroy())
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

const head = (method: string, length: number, extra: Record<string, string> = {}): string => [
  'POST /mcp HTTP/1.1',
  ...Object.entries({
    host: 'localhost',
    accept: BOTH,
    'content-type': 'application/json',
    'content-length': String(length),
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...extra
  }).map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')

const message = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: meta(), ...params } })

const WAYS_TO_LEAVE = [(socket: Socket) => socket.resetAndDestroy(), (socket: Socket) => socket.end(), (socket: Socket) => socket.destroy()]

const LISTEN = message('subscriptions/listen', { notifications: { resourcesListChanged: true } })

/** What a socket receives until a text comes, or until it closes. */
const receive = (socket: Socket, until: string): Promise<string> => new Promise((resolve) => {
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    if (text.includes(until)) resolve(text)
  }).once('close', () => resolve(text)).once('end', () => resolve(text))
})

const connections = (app: FastifyInstance): Promise<number> =>
  new Promise((resolve) => { app.server.getConnections((_error, count) => resolve(count)) })

const stillServes = async (t: Test, app: FastifyInstance) =>
  t.equal((await modern(app, key, 'tools/list')).status, 200, 'still serves')

t.test('cut, half closed, garbled', async (t) => {
  const { app, port, unexpected } = await listening(t)
  const body = message('tools/list')

  const garbage = await open(t, port)
  garbage.write(Buffer.from([0, 1, 2, 0xff, 0x0d, 0x0a, 0x0d, 0x0a]))
  t.match(await receive(garbage, '\r\n\r\n'), /^HTTP\/1\.1 400 /)

  const wide = await open(t, port)
  wide.write(head('tools/list', body.length, { 'x-wide': 'x'.repeat(100_000) }) + body)
  t.match(await receive(wide, '\r\n\r\n'), /^HTTP\/1\.1 431 /)

  const twice = await open(t, port)
  twice.write(head('tools/list', body.length, { 'transfer-encoding': 'chunked' }) + body)
  t.match(await receive(twice, '\r\n\r\n'), /^HTTP\/1\.1 400 /, 'two lengths are one too many')

  for (let part = 0; part < body.length; part += 40) {
    const cut = await open(t, port)
    cut.write(head('tools/list', body.length) + body.slice(0, part))
    if (part % 80 === 0) cut.destroy()
    else cut.resetAndDestroy()
  }
  const short = await open(t, port)
  short.end(head('tools/list', body.length) + body.slice(0, 10))
  t.notMatch(await receive(short, 'never'), /HTTP\/1\.1 5/)

  const slow = await open(t, port)
  const answered = receive(slow, '"tools"')
  for (const part of (head('tools/list', body.length) + body).match(/[^]{1,60}/g)!) {
    slow.write(part)
    await turn()
  }
  t.match(await answered, /^HTTP\/1\.1 200 /, 'slowly is no crime')

  await stillServes(t, app)
  t.same(unexpected, [])
})

t.test('a hundred idle streams, thousands in a long run', async (t) => {
  const { numRuns: many } = runs(400)
  const { app, port, changes } = await listening(t)
  const sockets: Socket[] = []
  for (let n = 0; n < many; n += 50) {
    sockets.push(...await Promise.all(Array.from({ length: Math.min(50, many - n) }, async () => {
      const socket = await open(t, port)
      socket.write(head('subscriptions/listen', LISTEN.length) + LISTEN)
      await receive(socket, 'acknowledged')
      return socket
    })))
  }
  t.equal(sockets.length, many)
  await stillServes(t, app)
  const heard = sockets.slice(0, 5).map((socket) => receive(socket, 'list_changed'))
  changes.announce({ kind: 'list', list: 'resources' })
  for (const text of await Promise.all(heard)) t.match(text, 'notifications/resources/list_changed')
  for (const [n, socket] of sockets.entries()) WAYS_TO_LEAVE[n % 3]!(socket)
  while (await connections(app) > 0) await turn()
})

t.test('streams of sessions, as many as may be, and as many again', async (t) => {
  const most = 30
  const { port, app, unexpected } = await listening(t, { maxStreams: most })
  const sessions = await Promise.all(Array.from({ length: most }, () => handshake(app, key)))
  const listen = async (session: string): Promise<[Socket, string]> => {
    const socket = await open(t, port)
    socket.write(['GET /mcp HTTP/1.1', 'host: localhost', 'accept: text/event-stream', `mcp-session-id: ${session}`, '', ''].join('\r\n'))
    return [socket, await receive(socket, '\r\n\r\n')]
  }
  const isOpen = ([, text]: [Socket, string]): boolean => text.startsWith('HTTP/1.1 200 ')
  for (const leave of WAYS_TO_LEAVE) {
    const streams = await Promise.all(sessions.map(listen))
    t.equal(streams.filter(isOpen).length, most, 'none that was left is counted')
    const [one, text] = await listen(await handshake(app, key))
    t.match(text, /^HTTP\/1\.1 429 /)
    one.destroy()
    await stillServes(t, app)
    for (const [socket] of streams) leave(socket)
    while (await connections(app) > 0) await turn()
  }
  t.same(unexpected, [])
})
