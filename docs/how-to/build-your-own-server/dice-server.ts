import fastify from 'fastify'
import { createMcpPlugin } from 'exploration-mcp-engine'
import { rollDice } from './roll-dice.js'

const app = fastify({ logger: true })
await app.register(createMcpPlugin({ server: { name: 'dice', version: '1.0.0' }, tools: [rollDice] }))
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) })
