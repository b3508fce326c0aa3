// npm run bench:server -- --port P
import { parseArgs } from 'node:util'
import { engineServer, TOKEN } from './engine-server.mjs'

const { values } = parseArgs({ options: { port: { type: 'string', default: '8095' } } })
const app = await engineServer()
console.log(`Serving on ${await app.listen({ host: '127.0.0.1', port: Number(values.port) })}/mcp with the bearer ${TOKEN}`)
