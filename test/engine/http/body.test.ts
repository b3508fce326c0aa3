// The body of a request, however it arrives: with the headers, after them, in pieces, chunked, or through a hook of the server.
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import fastify from 'fastify'
import { createMcpPlugin, result, type Tool } from 'exploration-mcp/engine'
import t, { type Test } from 'tap'
import { modernRequest } from '../../helpers/build.js'

const MAX_BODY_BYTES = 100_000
// More than the buffer of a message holds, so that it is read while it arrives.
const LONG_TEXT = 'é'.repeat(40_000)

const measure: Tool<{ text: string }> = {
  name: 'measure',
  description: 'Says how long a text is.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  run: async ({ text }) => result({ length: text.length }, `${text.length}`)
}

const requestOf = (text: string) => modernRequest(undefined, 'tools/call', { name: 'measure', arguments: { text } })
const bodyOf = (text: string): Buffer => Buffer.from(requestOf(text).body)
const HEAD = ['POST /mcp HTTP/1.1', 'host: localhost', ...Object.entries(requestOf('').headers).map(([name, value]) => `${name}: ${value}`)]
const headWith = (...lines: string[]): Buffer => Buffer.from([...HEAD, ...lines, '', ''].join('\r\n'))
const withLength = (body: Buffer): Buffer => headWith(`content-length: ${body.length}`)
const CHUNKED = headWith('transfer-encoding: chunked')
const chunkOf = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
const LAST_CHUNK = Buffer.from('0\r\n\r\n')
const chunked = (...pieces: Buffer[]): Buffer => Buffer.concat([...pieces.map(chunkOf), LAST_CHUNK])

/** A connection to a server. Each piece is written once the server has read what was written before. */
const start = async (t: Test, throughHook = false, maxBodyBytes = MAX_BODY_BYTES) => {
  const app = fastify()
  t.teardown(() => app.close())
  if (throughHook) app.addHook('preParsing', async (_request, _reply, payload) => payload.pipe(new PassThrough()))
  await app.register(createMcpPlugin({ server: { name: 'bodies', version: '1' }, tools: [measure], limits: { maxBodyBytes } }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const connection = async () => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true).on('error', () => {})
    t.teardown(() => socket.destroy())
    const [peer]: Socket[] = await once(app.server, 'connection')
    let written = 0
    const write = async (...pieces: Buffer[]): Promise<void> => {
      for (const piece of pieces) {
        socket.write(piece)
        written += piece.length
        while (peer!.bytesRead < written && !peer!.destroyed) await new Promise(setImmediate)
      }
    }
    return { socket, peer: peer!, write }
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
  return { connection, send }
}

for (const throughHook of [false, true]) {
  t.test(throughHook ? 'through a stream of a hook' : 'as it arrives', async (t) => {
    const { send } = await start(t, throughHook)
    const small = bodyOf('small')
    const long = bodyOf(LONG_TEXT)
    for (const [how, pieces, length] of [
      ['with its headers', [Buffer.concat([withLength(small), small])], 5],
      ['after its headers', [withLength(small), small], 5],
      ['half with its headers', [Buffer.concat([withLength(small), small.subarray(0, 20)]), small.subarray(20)], 5],
      ['a byte at a time at its end', [withLength(small), small.subarray(0, -2), small.subarray(-2, -1), small.subarray(-1)], 5],
      ['long, with its headers', [Buffer.concat([withLength(long), long])], LONG_TEXT.length],
      ['chunked, with its headers', [Buffer.concat([CHUNKED, chunked(small)])], 5],
      ['in two chunks', [Buffer.concat([CHUNKED, chunked(small.subarray(0, 9), small.subarray(9))])], 5],
      ['with the last chunk later', [Buffer.concat([CHUNKED, chunkOf(small)]), LAST_CHUNK], 5]
    ] as const) {
      const [reply] = await send(pieces)
      t.equal(reply?.status, 200, how)
      t.equal(JSON.parse(reply?.body ?? '').result.structuredContent.length, length, how)
    }
    const two = await send([Buffer.concat([withLength(small), small, withLength(small), small])], 2)
    t.same(two.map(({ status }) => status), [200, 200], 'two requests at once')

    const large = Buffer.alloc(MAX_BODY_BYTES + 1, ' ')
    for (const [how, pieces] of [
      ['announced', [withLength(large)]], ['chunked', [CHUNKED, chunked(large)]], ['with its headers', [Buffer.concat([CHUNKED, chunked(large)])]]
    ] as const) t.equal((await send(pieces))[0]?.status, 413, `too large, ${how}`)
    t.equal((await send([withLength(Buffer.alloc(0))]))[0]?.status, 400, 'empty')
    const strict = await start(t, throughHook, 50)
    t.equal((await strict.send([Buffer.concat([CHUNKED, chunked(small)])]))[0]?.status, 413, 'also when it has arrived')
  })
}

t.test('a client that still sends a body that is too large reads the refusal, and its connection is closed', async (t) => {
  const { connection } = await start(t)
  const piece = Buffer.alloc(1024 * 1024, ' ')
  for (const [how, head, pieceOf, last] of [
    ['chunked', CHUNKED, chunkOf, LAST_CHUNK],
    ['announced', headWith(`content-length: ${6 * piece.length}`), (bytes: Buffer) => bytes, Buffer.alloc(0)]
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
