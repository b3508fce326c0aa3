/**
 * `node scripts/test/run-compiled.mjs test/conformance/serve.ts --port P`: each reply is a stream, as the suite looks at streams only where
 * it finds them.
 */
import { parseArgs } from 'node:util'
import { fixture } from './fixture.js'

const { values } = parseArgs({ options: { port: { type: 'string', default: process.env['PORT'] ?? '8090' } } })
const app = await fixture({ replyMode: 'sse' })
console.log(`Server listening at ${await app.listen({ host: '127.0.0.1', port: Number(values.port) })}`)
