// The engine by its public export, with tools that answer from memory: a credential check, no limits, no log of requests.
import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fastify, { LogController } from 'fastify'
import { createMcpPlugin } from 'exploration-mcp/engine'
import { record } from './record.mjs'

export const TOKEN = 'bench-token'

const expected = Buffer.from(`Bearer ${TOKEN}`)
const principal = { credential: { id: 'bench', scope: 'admin' } }

export const authenticate = async (request) => {
  const given = Buffer.from(request.headers.authorization ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? { principal }
    : { reason: 'invalid', hint: 'Send the bearer bench-token.' }
}

/** The product's tools as tools/list shows them, with a result that is there already. */
export const tools = JSON.parse(readFileSync(new URL('../../test/planning/tools/tools-list.json', import.meta.url), 'utf8'))
  .map(({ inputSchema: input, outputSchema: output, ...tool }) => ({
    ...tool,
    input,
    output,
    run: async () => ({ content: [{ type: 'text', text: record.text }], structuredContent: record.data })
  }))

/** @param {{ replyMode?: 'auto' | 'json' | 'sse' }} options */
export const engineServer = async ({ replyMode } = {}) => {
  const app = fastify({ logger: false, logController: new LogController({ disableRequestLogging: true }) })
  await app.register(createMcpPlugin({
    server: { name: 'bench', title: 'Bench', version: '1.0.0', description: 'A bench.' },
    instructions: 'A bench.',
    tools,
    authenticate,
    replyMode,
    secrets: ['the bench keeps no secrets from anyone'],
    limits: { maxConcurrentCalls: 100_000, maxStreams: 100_000 },
    onUnexpectedError: (error) => { console.error(error) }
  }))
  return app
}
