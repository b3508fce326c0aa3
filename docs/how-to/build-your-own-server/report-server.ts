import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { createMcpPlugin, defineTool, progress, Refusal, requestInput, result } from 'exploration-mcp-engine'

const writeReport = defineTool({
  name: 'write_report',
  description: 'Writes a report, which takes a while. Clients that know tasks can go on meanwhile.',
  input: {
    type: 'object',
    properties: { pages: { type: 'integer', minimum: 1, maximum: 50, default: 3 } },
    additionalProperties: false
  }
}, async function * ({ pages }, { signal }) {
  // The client gets a task at once, where it knows tasks. Elsewhere the call goes on as a stream.
  yield { kind: 'task' }
  for (let page = 1; page <= pages; page++) {
    yield progress(page, pages, `Page ${page} of ${pages}`)
    await sleep(20, undefined, { signal })
  }
  return result({ pages }, `The report has ${pages} pages.`)
})

const publishReport = defineTool({
  name: 'publish_report',
  description: 'Publishes the report after the user has agreed.'
}, async function * () {
  yield { kind: 'task' }
  const { agreed } = yield * requestInput({
    agreed: {
      method: 'elicitation/create',
      params: { message: 'Publish the report?', requestedSchema: { type: 'object', properties: {} } }
    }
  })
  if (agreed['action'] !== 'accept') throw new Refusal('The user did not agree. The report was not published.')
  return result({ published: true }, 'The report is published.')
})

const app = fastify({ logger: true })
await app.register(createMcpPlugin({
  server: { name: 'reports', title: 'Reports', version: '1.0.0' },
  tools: [writeReport, publishReport],
  tasks: true
}))
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) })
