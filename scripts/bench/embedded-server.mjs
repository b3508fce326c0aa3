// The embedded server of `npm run bench:embedded`, as a user starts it: a process of its own on a data folder, measured from outside.
import { execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const START_TIMEOUT_MS = 120_000
const COMMAND_TIMEOUT_MS = 300_000
export const UNLIMITED = Object.fromEntries(['READ', 'READ_WRITE', 'ADMIN', 'PAT'].flatMap((scope) =>
  ['MINUTE', 'DAY'].map((time) => [`RATE_LIMIT_${scope}_PER_${time}`, '1000000000'])))
const environment = { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'warn', CONCURRENT_CALLS: '1000', ...UNLIMITED }

const program = (build) => join(build, 'dist/cli.js')

/** Runs a command of the program on a data folder; gives the JSON that it prints. */
export const runCommand = async (build, args) => {
  const { stdout } = await run(process.execPath, [program(build), ...args, '--json'], { env: environment, timeout: COMMAND_TIMEOUT_MS, maxBuffer: 2 ** 26 })
  return JSON.parse(stdout)
}

/** Starts `serve` and resolves when it listens: `readyMs` is the time from the start of the process until then. */
export const startServer = async (build, folder) => {
  const begun = performance.now()
  const child = spawn(process.execPath, [program(build), 'serve', '--data', folder, '--port', '0', '--json'], {
    env: environment, stdio: ['ignore', 'pipe', 'inherit'], timeout: COMMAND_TIMEOUT_MS
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(START_TIMEOUT_MS) })
  const readyMs = performance.now() - begun
  const { endpoint, key } = JSON.parse(line)
  return {
    readyMs,
    port: Number(new URL(endpoint).port),
    key,
    ...processOf(child)
  }
}

/** Starts the floor: `records` has the workspaces, the user and its memberships, as lines of an import file; a search computes for `computeMs`. */
export const startFloor = async (folder, { records, user, computeMs }) => {
  const child = fork(fileURLToPath(new URL('embedded-floor-server.mjs', import.meta.url)), { execArgv: ['--no-warnings'] })
  child.send({ folder, records, user, computeMs })
  const [{ port, keys }] = await once(child, 'message')
  return { server: { port, ...processOf(child) }, keys }
}

const processOf = (child) => ({
  memory: () => memoryOf(child.pid),
  threads: () => threadsOf(child.pid),
  async stop () {
    child.kill()
    await once(child, 'exit')
  }
})

/** Processor time of each thread so far, in microseconds, by its number; that of the process is its main thread (Linux only). */
const threadsOf = async (pid) => {
  const folder = `/proc/${pid}/task`
  const times = await Promise.all((await readdir(folder).catch(() => [])).map(async (thread) =>
    [Number(thread), Number((await readFile(join(folder, thread, 'schedstat'), 'utf8')).split(' ')[0]) / 1000]))
  return { main: pid, times: new Map(times) }
}

/** Resident megabytes now and at most, and the part that is no file (Linux only). */
export const memoryOf = async (pid) => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const field = (name) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? NaN) / 1024)
  return { now: field('VmRSS'), peak: field('VmHWM'), anonymous: field('RssAnon') }
}
