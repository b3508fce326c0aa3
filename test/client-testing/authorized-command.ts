/** The client of authorized.ts as a command. */
import { runAuthorizedClient } from './client/authorized.js'

if (process.env['MCP_TOKEN'] !== undefined) throw new Error('there is a token')
const { exitCode, stdout, stderr } = await runAuthorizedClient(process.env['MCP_URL'] ?? '', [])
console.log(stdout)
console.error(stderr)
process.exitCode = exitCode ?? 1
