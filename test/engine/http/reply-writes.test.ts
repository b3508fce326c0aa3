// A reply in JSON is whole, whatever its characters, and hooks of the application still see and change it.
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import fastify, { type FastifyInstance } from 'fastify'
import { createMcpPlugin, result, type Tool } from 'exploration-mcp/engine'
import t, { type Test } from 'tap'

const TEXTS = ['ASCII', 'Größe', 'naïve — “quoted” 日本語 🎉', 'x'.repeat(200_000), 'é'.repeat(100_000), '🎉'.repeat(50_000), '']

const echo: Tool<{ text: number }> = {
  name: 'echo',
  description: 'Says one of some texts.',
  input: { type: 'object', properties: { text: { type: 'integer' } }, required: ['text'], additionalProperties: false },
  run: async ({ text }) => result({ text: TEXTS[text] ?? '' }, TEXTS[text] ?? '')
}

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'echo'
}
const bodyOf = (text: number): string => JSON.stringify({
  jsonrpc: '2.0',
  id: text,
  method: 'tools/call',
  params: {
    _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} },
    name: 'echo',
    arguments: { text }
  }
})
const requestOf = (text: number): string => [
  'POST /mcp HTTP/1.1', 'host: localhost', ...Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`),
  `content-length: ${Buffer.byteLength(bodyOf(text))}`, '', bodyOf(text)
].join('\r\n')

const start = async (t: Test, prepare: (app: FastifyInstance) => void = () => {}): Promise<FastifyInstance> => {
  const app = fastify()
  t.teardown(() => app.close())
  prepare(app)
  await app.register(createMcpPlugin({ server: { name: 'replies', version: '1' }, tools: [echo] }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app
}

const connectTo = (t: Test, app: FastifyInstance): Socket => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  return socket
}

/** The next replies on a connection: head and bytes of each. */
const readReplies = async (socket: Socket, replies: number): Promise<Array<{ head: string, body: Buffer }>> => {
  const read: Array<{ head: string, body: Buffer }> = []
  let bytes = Buffer.alloc(0)
  while (read.length < replies) {
    const end = bytes.indexOf('\r\n\r\n')
    const head = bytes.subarray(0, Math.max(end, 0)).toString('latin1')
    const length = Number(/^content-length: (\d+)/mi.exec(head)?.[1] ?? NaN)
    if (end !== -1 && bytes.length >= end + 4 + length) {
      read.push({ head, body: bytes.subarray(end + 4, end + 4 + length) })
      bytes = bytes.subarray(end + 4 + length)
    } else {
      const [more]: Buffer[] = await once(socket, 'data')
      bytes = Buffer.concat([bytes, more!])
    }
  }
  return read
}

const saysText = (t: Test, reply: string, text: number): void => {
  const { id, result: { structuredContent } } = JSON.parse(reply)
  t.strictSame({ id, structuredContent }, { id: text, structuredContent: { text: TEXTS[text] } }, TEXTS[text]!.slice(0, 30))
}

t.test('replies to requests that are sent at once come in order and whole', async (t) => {
  const socket = connectTo(t, await start(t))
  socket.write(TEXTS.map((_, text) => requestOf(text)).join(''))
  const replies = await readReplies(socket, TEXTS.length)
  for (const [text, { head, body }] of replies.entries()) {
    t.match(head, /^HTTP\/1\.1 200 OK/)
    saysText(t, body.toString('utf8'), text)
  }
})

t.test('hooks of the application replace a reply by another text, bytes or a stream', async (t) => {
  const replacements: Array<[name: string, of: (text: string) => unknown]> = [
    ['text', (text) => text.toUpperCase()], ['bytes', (text) => Buffer.from(text.toUpperCase())],
    ['stream', (text) => Readable.from([Buffer.from(text.slice(0, 10).toUpperCase()), Buffer.from(text.slice(10).toUpperCase())])]
  ]
  for (const [name, replace] of replacements) {
    const app = await start(t, (app) => {
      app.addHook('onSend', async (_request, reply, payload) => {
        reply.removeHeader('content-length')
        return replace(String(payload))
      })
    })
    const { port } = app.server.address() as AddressInfo
    for (const text of [0, 1]) {
      const reply = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers: HEADERS, body: bodyOf(text) })
      t.match(await reply.text(), `"TEXT":"${TEXTS[text]!.toUpperCase()}"`, name)
    }
  }
})

t.test('an application that is asked without a socket answers too', async (t) => {
  const app = await start(t)
  for (const text of TEXTS.keys()) {
    const reply = await app.inject({ method: 'POST', url: '/mcp', headers: HEADERS, payload: bodyOf(text) })
    t.equal(Number(reply.headers['content-length']), reply.rawPayload.length)
    saysText(t, reply.payload, text)
  }
})

t.test('a listener hears that each reply is over', async (t) => {
  const over: number[] = []
  const app = await start(t, (app) => {
    app.addHook('onResponse', async (_request, reply) => { over.push(reply.statusCode) })
  })
  const socket = connectTo(t, app)
  socket.write(requestOf(0) + requestOf(1) + requestOf(2))
  await readReplies(socket, 3)
  await app.close()
  t.strictSame(over, [200, 200, 200])
})
