// What the official suite and `grade` start as a client: tells host.mjs what it was started with, and prints and ends as
// the client there did.
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'

const socket = connect(Number(process.env.CROSS_CHECK_PORT), '127.0.0.1')
const variables = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('MCP_')))
socket.end(JSON.stringify({ variables, argument: process.argv.at(-1) }))
const { code, out, errors } = await json(socket)
console.log(out)
console.error(errors)
process.exitCode = code
