// Two servers in one Fastify app, whose tools have schemas of three libraries. engine-examples.test.mjs runs it in an empty folder.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { createMcpPlugin, defineTool, result, testClient, TestClientError } from 'exploration-mcp-engine'
import fastify from 'fastify'
import * as v from 'valibot'
import * as z from 'zod'

const withZod = defineTool({
  name: 'zod',
  description: 'Sends an invitation.',
  input: z.object({
    mail: z.email(), times: z.int().min(1).default(2), note: z.string().trim().transform((text) => text.length).optional()
  }),
  output: z.object({ sent: z.array(z.object({ mail: z.string(), at: z.iso.datetime() })), note: z.int().optional() })
}, async ({ mail, times, note }) => {
  const typed: [string, number, number | undefined] = [mail, times, note]
  return result({ sent: Array.from({ length: times }, () => ({ mail, at: new Date(0).toISOString(), secret: 'x' })), note }, typed.join(' '))
})

// @ts-expect-error the schema says a number
defineTool({ name: 'x', description: 'x', output: z.object({ n: z.number() }) }, async () => result({ n: 'one' }, 'one'))

const withValibot = defineTool({
  name: 'valibot',
  description: 'Doubles.',
  input: toStandardJsonSchema(v.object({ n: v.optional(v.pipe(v.number(), v.integer(), v.maxValue(10)), 3) })),
  output: toStandardJsonSchema(v.object({ doubled: v.number() }))
}, async ({ n }) => {
  const typed: number = n
  return result({ doubled: 2 * typed }, `${2 * typed}`)
})

const withArkType = defineTool({
  name: 'arktype',
  description: 'Doubles.',
  input: type({ n: 'number.integer <= 10 = 3' }),
  output: type({ doubled: 'number' })
}, async ({ n }) => {
  const typed: number = n
  return result({ doubled: 2 * typed }, `${2 * typed}`)
})

const wrong = defineTool({
  name: 'wrong', description: 'Breaks its schema.', output: z.object({ n: z.int() })
}, async () => result({ n: 1.5 }, '1.5'))

const app = fastify()
await app.register(createMcpPlugin({ server: { name: 'first', version: '1.0.0' }, tools: [withZod, wrong], paths: ['/first/mcp'] }))
await app.register(createMcpPlugin({ server: { name: 'second', version: '1.0.0' }, tools: [withValibot, withArkType], paths: ['/second/mcp'] }))

for (const revision of ['2025-11-25', '2026-07-28'] as const) {
  await test(`${revision}: zod`, async () => {
    const client = await testClient(app, { revision, path: '/first/mcp' })
    const { tools } = await client.listTools()
    assert.deepEqual(tools.map(({ name }) => name), ['zod', 'wrong'])
    assert.deepEqual(Object.keys((tools[0]?.inputSchema as { properties: object }).properties), ['mail', 'times', 'note'])
    const invited = await client.callTool('zod', { mail: 'ada@example.com', note: '  four ' })
    const sent = { mail: 'ada@example.com', at: '1970-01-01T00:00:00.000Z' }
    assert.deepEqual(invited.structuredContent, { sent: [sent, sent], note: 4 }, 'defaults, a transformation, and no field that the schema lacks')
    const refused = await client.callTool('zod', { mail: 'nobody', times: 0 })
    assert.equal(refused.isError, true)
    assert.match(JSON.stringify(refused.content), /Invalid arguments for zod: mail: Invalid email address. times: Too small/)
    await assert.rejects(client.callTool('wrong'), (error) => error instanceof TestClientError && error.code === -32603)
  })

  for (const name of ['valibot', 'arktype']) {
    await test(`${revision}: ${name}`, async () => {
      const client = await testClient(app, { revision, path: '/second/mcp' })
      assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), ['valibot', 'arktype'])
      assert.deepEqual((await client.callTool(name)).structuredContent, { doubled: 6 })
      const refused = await client.callTool(name, { n: 11 })
      assert.equal(refused.isError, true)
      assert.match(JSON.stringify(refused.content), new RegExp(`Invalid arguments for ${name}: .*10`))
    })
  }
}
