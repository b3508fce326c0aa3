import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { createMcpPlugin, testClient } from 'exploration-mcp-engine'
import { rollDice } from './roll-dice.js'

test('a die shows one of its sides', async () => {
  const app = fastify()
  await app.register(createMcpPlugin({ server: { name: 'dice', version: '1.0.0' }, tools: [rollDice] }))
  const client = await testClient(app)
  const { structuredContent } = await client.callTool<{ rolled: number }>('roll_dice', { sides: 2 })
  assert.ok([1, 2].includes(structuredContent.rolled))
  await client.close()
})
