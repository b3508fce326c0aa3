// A server of the engine bench in a process of its own: the engine of a build with tools that answer from memory, or bare Fastify routes that stringify
// the objects they are given. Says its port, then its processor time in microseconds whenever it is asked.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fastify, { LogController } from 'fastify'
import { record } from './record.mjs'

const TOOLS = new URL('../../test/planning/tools/tools-list.json', import.meta.url)

const bare = () => {
  const app = fastify()
  for (const [path, body] of Object.entries(JSON.parse(process.env.BENCH_BODIES))) app.post(path, async () => body)
  return app
}

/** Without limits and without a log of requests. */
const engine = async (folder) => {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { createMcpPlugin } = await import(pathToFileURL(join(folder, exports['./engine'].default)).href)
  const app = fastify({ logger: false, logController: new LogController({ disableRequestLogging: true }) })
  await app.register(createMcpPlugin({
    server: { name: 'bench', title: 'Bench', version: '1.0.0', description: 'A bench.' },
    instructions: 'A bench.',
    tools: JSON.parse(readFileSync(TOOLS, 'utf8')).map(({ inputSchema: input, outputSchema: output, ...tool }) => ({
      ...tool,
      input,
      output,
      run: async () => ({ content: [{ type: 'text', text: record.text }], structuredContent: record.data })
    })),
    authenticate: async ({ headers }) => headers.authorization === `Bearer ${process.env.BENCH_TOKEN}`
      ? { principal: { credential: { id: 'bench', scope: 'admin' } } }
      : { reason: 'invalid', hint: 'Send the token of the bench.' },
    secrets: ['the bench keeps no secrets from anyone'],
    limits: { maxConcurrentCalls: 100_000, maxStreams: 100_000 },
    onUnexpectedError: (error) => { console.error(error) }
  }))
  return app
}

const [folder] = process.argv.slice(2)
const app = folder === undefined ? bare() : await engine(folder)
await app.listen({ host: '127.0.0.1', port: 0 })
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send({ cpu: user + system })
})
// A bench that fails leaves no server behind.
process.on('disconnect', () => { process.exit() })
process.send({ port: app.server.address().port })
