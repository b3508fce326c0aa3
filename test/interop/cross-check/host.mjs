/**
 * Runs a client where the official suite or `grade` starts one: their command, pass-on.mjs, says here what it was
 * started with. A client in TypeScript runs in this process, where it is loaded once: a process of its own computes for
 * a third of a second at each of a hundred runs. One run after another, as the suite starts all scenarios at once.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { taskOf } from '../matrix/work.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The command, from the root of the repository. */
export const COMMAND = ['node', 'test/interop/cross-check/pass-on.mjs']

/** What a client printed, and the code with which it ends. */
const runHere = async (run, variables, argument) => {
  const [out, errors] = [[], []]
  const isDone = await run(taskOf(variables, argument, (line) => out.push(line), (line) => errors.push(line)))
  return { code: isDone ? 0 : 1, out: out.join('\n'), errors: errors.join('\n') }
}

const runCommand = ([file, ...args], variables, argument) => new Promise((resolve) => {
  execFile(file, [...args, argument], { cwd: ROOT, env: { ...process.env, ...variables } }, (error, out, errors) => {
    resolve({ code: error ? 1 : 0, out, errors })
  })
})

/** `env` is what the command needs to find it. */
export const startHost = async ({ id, command }) => {
  const { run } = id.startsWith('typescript') ? await import(`../matrix/${id.replace('-legacy', '')}.mjs`) : {}
  const mode = id.endsWith('-legacy') ? { MODE: 'legacy' } : {}
  let last = Promise.resolve()
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    const { variables, argument } = await json(socket.iterator({ destroyOnReturn: false }))
    const start = run ? () => runHere(run, { ...variables, ...mode }, argument) : () => runCommand(command, variables, argument)
    last = last.then(start)
    socket.end(JSON.stringify(await last))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { env: { CROSS_CHECK_PORT: String(server.address().port) }, stop: () => server.close() }
}
