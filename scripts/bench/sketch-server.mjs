// The least that the contract of the endpoint demands, in one file, to see what any engine on Fastify must cost: the checks of origin, credential,
// headers and body, the session, the schema of the arguments, no character that nobody sees. It has no streams, tasks, batches, audit or telemetry.
import { isUtf8 } from 'node:buffer'
import fastify, { LogController } from 'fastify'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { authenticate, tools } from './engine-server.mjs'

const ACCEPT = 'application/json, text/event-stream'

export const sketchServer = () => {
  const app = fastify({ logger: false, logController: new LogController({ disableRequestLogging: true }) })
  const ajv = new Ajv2020({ useDefaults: true, strict: false })
  const byName = new Map(tools.map((tool) => [tool.name, { ...tool, check: ajv.compile(tool.input) }]))
  const list = { tools: tools.map(({ input: inputSchema, output: outputSchema, run, ...tool }) => ({ ...tool, inputSchema, outputSchema })) }
  const sessions = new Map()
  app.addHook('onRequest', (request, reply, done) => {
    const { headers } = request
    if (headers.origin !== undefined) return done(new Error('origin'))
    authenticate(request).then((caller) => {
      const refused = !('principal' in caller) || headers['content-type'] !== 'application/json' || headers.accept !== ACCEPT
      done(refused ? new Error('refused') : undefined)
    }, done)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => { done(null, body) })

  const resultOf = async ({ method, params }, headers) => {
    if (method === 'initialize') return { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'sketch', version: '1' } }
    const modern = params._meta?.['io.modelcontextprotocol/protocolVersion']
    if (modern === undefined ? !sessions.has(headers['mcp-session-id']) : headers['mcp-method'] !== method) throw new Error('refused')
    if (method === 'ping') return {}
    if (method === 'tools/list') return list
    if (modern !== undefined && headers['mcp-name'] !== params.name) throw new Error('refused')
    const tool = byName.get(params.name)
    if (!tool.check(params.arguments)) throw new Error('refused')
    const { content, structuredContent } = await tool.run(params.arguments)
    return { ...(modern !== undefined && { resultType: 'complete' }), content, structuredContent }
  }

  const answer = async (request, reply) => {
    if (!isUtf8(request.body)) throw new Error('no UTF-8')
    const message = JSON.parse(request.body.toString())
    const result = await resultOf(message, request.headers)
    if (message.method === 'initialize') {
      reply.header('mcp-session-id', 'session')
      sessions.set('session', true)
    }
    const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result })
    const isAscii = Buffer.byteLength(text) === text.length
    if (message.method === 'tools/call' && (!isAscii || text.includes('\\u00') || text.includes('\x7f'))) throw new Error('not visible')
    reply.header('content-type', 'application/json; charset=utf-8').send(text)
  }
  app.post('/mcp', (request, reply) => { answer(request, reply).catch((error) => { reply.send(error) }) })
  return app
}
