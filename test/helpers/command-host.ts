// Runs command lines of clients, one process for many: starting one costs a third of a second of computing. Listens at a given path.
import { createServer, type Socket } from 'node:net'
import { homedir, hostname } from 'node:os'
import { PassThrough, Writable } from 'node:stream'
import { fileSystem } from '../../src/agent-setup/file-system.js'
import { main } from '../../src/cli/main.js'
import { openBackend } from '../../src/server/open-backend.js'

interface CommandLine { args: string[], env: Record<string, string> }

// As src/cli.ts does.
process.umask(0o077)

const sendTo = (socket: Socket, to: 'out' | 'err') => new Writable({
  write (chunk: Buffer, _encoding, done) {
    socket.write(`${JSON.stringify({ to, text: chunk.toString('base64') })}\n`, () => done())
  }
})

const run = async (socket: Socket, { args, env }: CommandLine, stdin: PassThrough): Promise<void> => {
  const streams = { stdout: sendTo(socket, 'out'), stderr: sendTo(socket, 'err') }
  const code = await main(args, {
    ...streams,
    env,
    pid: process.pid,
    host: {
      platform: process.platform,
      home: env['HOME'] ?? homedir(),
      env,
      fileSystem,
      hostname: hostname(),
      folder: process.cwd()
    },
    stdin,
    onStop () {},
    openInBrowser: async () => { throw new Error('no browser') },
    openBackend
  })
  for (const stream of Object.values(streams)) await new Promise<void>((resolve) => { stream.end(resolve) })
  socket.end(`${JSON.stringify({ code })}\n`)
}

// A client whose standard input ends still waits for its results.
const server = createServer({ allowHalfOpen: true }, (socket) => {
  const stdin = new PassThrough()
  let head = ''
  const readHead = (chunk: Buffer): void => {
    head += chunk.toString('latin1')
    const end = head.indexOf('\n')
    if (end === -1) return
    socket.off('data', readHead)
    stdin.write(Buffer.from(head.slice(end + 1), 'latin1'))
    socket.pipe(stdin)
    run(socket, JSON.parse(Buffer.from(head.slice(0, end), 'latin1').toString()) as CommandLine, stdin)
      .catch((error: Error) => { socket.destroy(error) })
  }
  socket.on('data', readHead)
  // A client that was stopped.
  socket.on('error', () => socket.destroy())
})
server.listen(process.argv[2], () => process.send?.('listening'))
process.on('disconnect', () => process.exit())
