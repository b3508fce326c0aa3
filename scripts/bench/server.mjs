// npm run bench:server -- --port P
import { parseArgs } from 'node:util'
import { rooms, TOKEN } from './rooms.mjs'

const { values } = parseArgs({ options: { port: { type: 'string', default: '8095' } } })
const app = await rooms()
console.log(`Serving on ${await app.listen({ host: '127.0.0.1', port: Number(values.port) })}/mcp with the bearer ${TOKEN}`)
