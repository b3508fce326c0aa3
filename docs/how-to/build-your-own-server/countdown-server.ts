import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { createMcpPlugin, defineTool, progress, result, type Principal, type RequestContext } from 'exploration-mcp-engine'

/** What authentication knows of a caller: what the engine needs, and a name. */
interface Person extends Principal {
  name: string
}

const people = new Map<string, Person>([
  ['Bearer secret-of-ada', { name: 'Ada', credential: { id: 'key-1', scope: 'read' } }]
])

const countDown = defineTool({
  name: 'count_down',
  description: 'Counts down to zero, and reports each step as progress.',
  scope: 'read',
  input: {
    type: 'object',
    properties: { from: { type: 'integer', minimum: 1, maximum: 100 } },
    required: ['from'],
    additionalProperties: false
  }
}, async function * ({ from }, { principal, signal }: RequestContext<Person>) {
  for (let done = 0; done < from; done++) {
    yield progress(done, from, `${from - done} to go`)
    await sleep(10, undefined, { signal })
  }
  return result({ counted: from }, `Done, ${principal.name}.`)
})

const app = fastify({ logger: true })
await app.register(createMcpPlugin<object, Person>({
  server: { name: 'countdown', title: 'Countdown', version: '1.0.0' },
  instructions: 'Counts down. Only for people with a key.',
  tools: [countDown],
  async authenticate ({ headers }) {
    const principal = people.get(headers.authorization ?? '')
    return principal ? { principal } : { reason: 'invalid', hint: 'Send "Authorization: Bearer <your key>".' }
  }
}))
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) })
