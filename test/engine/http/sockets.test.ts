// Requests over sockets whose bytes a test writes itself: bodies with their headers, in pieces, chunked or through a hook;
// and hostile connections: cut, half closed, slow, garbled, and very many. The server goes on serving, and keeps nothing of them.
// @no-services: the engine alone
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import fastify, { type FastifyInstance } from 'fastify'
import { createMcpPlugin, memoryChanges, result, type EngineLimits, type Tool } from 'exploration-mcp/engine'
import t, { type Test } from 'tap'
import { handshake, modern, modernRequest } from '../../helpers/build.js'
import { runs } from '../../helpers/fuzzing.js'
import { resource } from '../serve.js'

const MAX_BODY_BYTES = 100_000
// More than the buffer of a message holds, so that it is read while it arrives.
const LONG_TEXT = 'é'.repeat(40_000)

const measure: Tool<{ text: string }> = {
  name: 'measure',
  description: 'Says how long a text is.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  run: async ({ text }) => result({ length: text.length }, `${text.length}`)
}

type Request = ReturnType<typeof modernRequest>
const requestOf = (text: string) => modernRequest(undefined, 'tools/call', { name: 'measure', arguments: { text } })
const bodyOf = (text: string): Buffer => Buffer.from(requestOf(text).body)
const headOf = ({ headers }: Request, more: Record<string, string>): Buffer => Buffer.from([
  'POST /mcp HTTP/1.1', ...Object.entries({ host: 'localhost', ...headers, ...more }).map(([name, value]) => `${name}: ${value}`), '', ''
].join('\r\n'))
const withLength = (length: number, request = requestOf(''), more = {}): Buffer => headOf(request, { 'content-length': `${length}`, ...more })
const CHUNKED = headOf(requestOf(''), { 'transfer-encoding': 'chunked' })
const chunkOf = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
const LAST_CHUNK = Buffer.from('0\r\n\r\n')
const chunked = (...pieces: Buffer[]): Buffer => Buffer.concat([...pieces.map(chunkOf), LAST_CHUNK])

const turn = () => new Promise<void>((resolve) => { setImmediate(resolve) })

const start = async (t: Test, limits: EngineLimits = { maxBodyBytes: MAX_BODY_BYTES }, throughHook = false) => {
  const app = fastify()
  t.teardown(() => app.close())
  if (throughHook) app.addHook('preParsing', async (_request, _reply, payload) => payload.pipe(new PassThrough()))
  const changes = memoryChanges()
  const unexpected: unknown[] = []
  await app.register(createMcpPlugin({
    server: { name: 'sockets', version: '1' },
    tools: [measure],
    resources: [resource('x://y')],
    changes,
    limits: { maxConcurrentCalls: 1000, ...limits },
    onUnexpectedError: (error) => { unexpected.push(error) }
  }))
  const peers = new Map<number | undefined, Socket>()
  app.server.on('connection', (peer) => { peers.set(peer.remotePort, peer) })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo

  const open = async (): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setNoDelay(true).on('error', () => {})
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    while (!peers.has(socket.localPort)) await turn()
    return socket
  }
  /** A connection on which each piece is written once the server has read what was written before. */
  const connection = async () => {
    const socket = await open()
    const peer = peers.get(socket.localPort)!
    let written = 0
    const write = async (...pieces: Buffer[]): Promise<void> => {
      for (const piece of pieces) {
        socket.write(piece)
        written += piece.length
        while (peer.bytesRead < written && !peer.destroyed) await turn()
      }
    }
    return { socket, peer, write }
  }
  /** The statuses and bodies of so many replies to these pieces. */
  const send = async (pieces: readonly Buffer[], replies = 1): Promise<Array<{ status: number, body: string }>> => {
    const { socket, write } = await connection()
    let text = ''
    socket.on('data', (data) => { text += String(data) })
    await write(...pieces)
    const parsed = () => [...text.matchAll(/HTTP\/1\.1 (\d+)[^]*?\r\n\r\n([^]*?)(?=HTTP\/1\.1|$)/g)]
    while (parsed().length < replies || !parsed().at(-1)?.[2]) await once(socket, 'data')
    return parsed().map(([, status, body = '']) => ({ status: Number(status), body }))
  }
  return { app, changes, unexpected, open, connection, send }
}

for (const throughHook of [false, true]) {
  t.test(throughHook ? 'a body through a stream of a hook' : 'a body as it arrives', async (t) => {
    const { send } = await start(t, undefined, throughHook)
    const small = bodyOf('small')
    const long = bodyOf(LONG_TEXT)
    const head = withLength(small.length)
    for (const [how, pieces, length] of [
      ['with its headers', [Buffer.concat([head, small])], 5],
      ['after its headers', [head, small], 5],
      ['half with its headers', [Buffer.concat([head, small.subarray(0, 20)]), small.subarray(20)], 5],
      ['a byte at a time at its end', [head, small.subarray(0, -2), small.subarray(-2, -1), small.subarray(-1)], 5],
      ['long, with its headers', [Buffer.concat([withLength(long.length), long])], LONG_TEXT.length],
      ['chunked, with its headers', [Buffer.concat([CHUNKED, chunked(small)])], 5],
      ['in two chunks', [Buffer.concat([CHUNKED, chunked(small.subarray(0, 9), small.subarray(9))])], 5],
      ['with the last chunk later', [Buffer.concat([CHUNKED, chunkOf(small)]), LAST_CHUNK], 5]
    ] as const) {
      const [reply] = await send(pieces)
      t.equal(reply?.status, 200, how)
      t.equal(JSON.parse(reply?.body ?? '').result.structuredContent.length, length, how)
    }
    const two = await send([Buffer.concat([head, small, head, small])], 2)
    t.same(two.map(({ status }) => status), [200, 200], 'two requests at once')

    const large = Buffer.alloc(MAX_BODY_BYTES + 1, ' ')
    for (const [how, pieces] of [
      ['announced', [withLength(large.length)]], ['chunked', [CHUNKED, chunked(large)]], ['with its headers', [Buffer.concat([CHUNKED, chunked(large)])]]
    ] as const) t.equal((await send(pieces))[0]?.status, 413, `too large, ${how}`)
    t.equal((await send([withLength(0)]))[0]?.status, 400, 'empty')
    const strict = await start(t, { maxBodyBytes: 50 }, throughHook)
    t.equal((await strict.send([Buffer.concat([CHUNKED, chunked(small)])]))[0]?.status, 413, 'also when it has arrived')
  })
}

t.test('a client that still sends a body that is too large reads the refusal, and its connection is closed', async (t) => {
  const { connection } = await start(t)
  const piece = Buffer.alloc(1024 * 1024, ' ')
  for (const [how, head, pieceOf, last] of [
    ['chunked', CHUNKED, chunkOf, LAST_CHUNK],
    ['announced', withLength(6 * piece.length), (bytes: Buffer) => bytes, Buffer.alloc(0)]
  ] as const) {
    const { socket, peer, write } = await connection()
    await write(head, pieceOf(piece))
    const [reply] = await once(socket, 'data')
    t.match(String(reply), /^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n/i, how)
    await write(...Array.from({ length: 5 }, () => pieceOf(piece)), last)
    await once(socket, 'end')
    t.ok(peer.bytesRead > 6 * piece.length, `${how}: everything is read`)
  }
  const endless = await connection()
  await endless.write(CHUNKED)
  while (!endless.peer.destroyed) await endless.write(chunkOf(piece))
  t.ok(endless.peer.bytesRead < 20 * piece.length, 'not without end')
  const silent = await connection()
  await silent.write(CHUNKED, chunkOf(piece))
  await once(silent.socket.resume(), 'end')
  t.pass('nor for ever while no more comes')
})

const WAYS_TO_LEAVE = [(socket: Socket) => socket.resetAndDestroy(), (socket: Socket) => socket.end(), (socket: Socket) => socket.destroy()]

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
  t.equal((await modern(app, undefined, 'tools/list')).status, 200, 'still serves')

t.test('cut, half closed, garbled', async (t) => {
  const { app, open, unexpected } = await start(t)
  const list = modernRequest(undefined, 'tools/list')
  const whole = `${withLength(list.body.length, list)}${list.body}`

  for (const [bytes, status, what] of [
    [Buffer.from([0, 1, 2, 0xff, 0x0d, 0x0a, 0x0d, 0x0a]), 400, 'garbage'],
    [withLength(list.body.length, list, { 'x-wide': 'x'.repeat(100_000) }), 431, 'wide headers'],
    [withLength(list.body.length, list, { 'transfer-encoding': 'chunked' }), 400, 'two lengths are one too many']
  ] as const) {
    const socket = await open()
    socket.write(bytes)
    t.match(await receive(socket, '\r\n\r\n'), new RegExp(`^HTTP/1\\.1 ${status} `), what)
  }

  for (let part = 0; part < list.body.length; part += 40) {
    const cut = await open()
    cut.write(whole.slice(0, part - list.body.length))
    if (part % 80 === 0) cut.destroy()
    else cut.resetAndDestroy()
  }
  const short = await open()
  short.end(whole.slice(0, 10 - list.body.length))
  t.notMatch(await receive(short, 'never'), /HTTP\/1\.1 5/)

  const slow = await open()
  const answered = receive(slow, '"tools"')
  for (const part of whole.match(/[^]{1,60}/g)!) {
    slow.write(part)
    await turn()
  }
  t.match(await answered, /^HTTP\/1\.1 200 /, 'slowly is no crime')

  await stillServes(t, app)
  t.same(unexpected, [])
})

t.test('a hundred idle streams, thousands in a long run', async (t) => {
  const { numRuns: many } = runs(400)
  const { app, open, changes } = await start(t, { maxStreams: 100_000 })
  const listen = modernRequest(undefined, 'subscriptions/listen', { notifications: { resourcesListChanged: true } })
  const sockets: Socket[] = []
  for (let n = 0; n < many; n += 50) {
    sockets.push(...await Promise.all(Array.from({ length: Math.min(50, many - n) }, async () => {
      const socket = await open()
      socket.write(`${withLength(listen.body.length, listen)}${listen.body}`)
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
  const { app, open, unexpected } = await start(t, { maxStreams: most })
  const sessions = await Promise.all(Array.from({ length: most }, () => handshake(app, undefined)))
  const listen = async (session: string): Promise<[Socket, string]> => {
    const socket = await open()
    socket.write(['GET /mcp HTTP/1.1', 'host: localhost', 'accept: text/event-stream', `mcp-session-id: ${session}`, '', ''].join('\r\n'))
    return [socket, await receive(socket, '\r\n\r\n')]
  }
  const isOpen = ([, text]: [Socket, string]): boolean => text.startsWith('HTTP/1.1 200 ')
  for (const leave of WAYS_TO_LEAVE) {
    const streams = await Promise.all(sessions.map(listen))
    t.equal(streams.filter(isOpen).length, most, 'none that was left is counted')
    const [one, text] = await listen(await handshake(app, undefined))
    t.match(text, /^HTTP\/1\.1 429 /)
    one.destroy()
    await stillServes(t, app)
    for (const [socket] of streams) leave(socket)
    while (await connections(app) > 0) await turn()
  }
  t.same(unexpected, [])
})
