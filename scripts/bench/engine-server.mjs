// A server of the engine bench in a process of its own: the engine of a build with tools that answer from memory, or bare Fastify routes that stringify
// the objects they are given. Says its port.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fastify, { LogController } from 'fastify'

const TOOLS = new URL('../../test/planning/tools/tools-list.json', import.meta.url)
const SENTENCE = 'Customers who refund a part of an order see the whole amount in their statement until the nightly run corrects it.'

/** What each tool answers: an exploration of a usual size, on both channels. */
const EXPLORATION = {
  id: '3f1c9a52-8f0e-4a31-9a51-000000000001',
  workspace_id: '3f1c9a52-8f0e-4a31-9a51-000000000002',
  title: 'Partial refunds in the statement',
  status: 'exploring',
  tags: ['payments', 'statements', 'refunds'],
  summaries: [{ kind: 'problem', text: SENTENCE.repeat(2) }, { kind: 'goal', text: SENTENCE }],
  questions: Array.from({ length: 8 }, (_, n) => ({ id: `q${n}`, question: `${SENTENCE} Why (${n})?`, answer: SENTENCE }))
}
const TEXT = EXPLORATION.questions.map(({ question, answer }) => `${question}\n${answer}`).join('\n\n')

const bare = () => {
  const app = fastify()
  for (const [path, body] of Object.entries(JSON.parse(process.env.BENCH_BODIES))) app.post(path, async () => body)
  return app
}

/** Without limits and without a log of requests. */
const engine = async (folder) => {
  const bearer = `Bearer ${process.env.BENCH_TOKEN}`
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
      run: async () => ({ content: [{ type: 'text', text: TEXT }], structuredContent: EXPLORATION })
    })),
    authenticate: async ({ headers }) => headers.authorization === bearer
      ? { principal: { credential: { id: 'bench', scope: 'admin' } } }
      : { reason: 'invalid', hint: 'Send the token of the bench.' },
    secrets: ['the bench keeps no secrets from anyone'],
    limits: { maxConcurrentCalls: 100_000, maxStreams: 100_000 },
    onUnexpectedError: (error) => { console.error(error) }
  }))
  return app
}

const { BENCH_FOLDER: folder } = process.env
const app = folder === undefined ? bare() : await engine(folder)
await app.listen({ host: '127.0.0.1', port: 0 })
process.on('disconnect', () => { process.exit() })
process.send({ port: app.server.address().port })
