// Sends a command line and its standard input to a process of command-host.ts; writes what that command writes, and ends with its code.
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

const [, , address = '', ...args] = process.argv
const socket = connect(address)
socket.write(`${JSON.stringify({ args, env: process.env })}\n`)
process.stdin.pipe(socket)
for await (const line of createInterface(socket)) {
  const { to, text, code } = JSON.parse(line)
  if (code !== undefined) process.exit(code)
  const stream = to === 'out' ? process.stdout : process.stderr
  stream.write(Buffer.from(text, 'base64'))
}
// The connection ended without a code.
process.exit(70)
