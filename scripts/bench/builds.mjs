// The builds of one run, and their servers as users start them: processes of their own, measured from outside (Linux only).
import { execFile, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const START_TIMEOUT_MS = 120_000
const COMMAND_TIMEOUT_MS = 3_600_000
/** No caller meets a limit. */
const UNLIMITED = {
  CONCURRENT_CALLS: '100000', RATE_LIMIT_READ_PER_MINUTE: '1000000000', RATE_LIMIT_READ_PER_DAY: '1000000000'
}

/** The build of another checkout, when there is one, then this one. */
export const buildsOf = (against) => [
  ...against === undefined ? [] : [{ name: 'other', folder: resolve(against) }], { name: 'this', folder: resolve(ROOT) }
]

/** The file of explorations that a bench uses by default: the sample data. */
export const SAMPLE = join(ROOT, 'src/planning/sample.ndjson')

/** What is to be done when this process ends, the newest first: a server ends before its folder goes. */
const atEnd = []
process.once('exit', () => { for (const end of atEnd.toReversed()) end() })

/** A folder that is there until this process ends, and with it the servers that may still write into it. */
export const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  atEnd.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

const environment = (more) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  LOG_LEVEL: 'warn',
  SESSION_SECRET: randomBytes(32).toString('hex'),
  ...UNLIMITED,
  ...more
})

/** Runs a command of a build; gives the JSON that it prints. `env` says which database. */
export const runCommand = async ({ folder }, args, env) => {
  const { stdout } = await run(process.execPath, [join(folder, 'dist/cli.js'), ...args, '--json'], {
    env: environment(env), timeout: COMMAND_TIMEOUT_MS, maxBuffer: 2 ** 26
  })
  return JSON.parse(stdout)
}

/** Creates a key for each of these users; gives their secrets. */
export const createKeys = async (build, env, users) => {
  const keys = []
  for (const [n, user] of users.entries()) {
    keys.push((await runCommand(build, ['keys', 'create', '--user', user, '--scope', 'read', '--name', `bench ${n}`], env)).key)
  }
  return keys
}

/** Who waits for something else of a child hears of its end by an error. */
const endOf = (child, name) => once(child, 'exit').then(([code]) => { throw new Error(`${name} ended with ${code}`) })

/** Forks a module of this folder, which says its port and ends when it is no longer connected. */
export const forkServer = async (file, env) => {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { env: { ...process.env, ...env }, execArgv: ['--no-warnings'] })
  const [{ port }] = await Promise.race([once(child, 'message'), endOf(child, file)])
  return { port, ...measured(child) }
}

/** Starts `serve` and resolves when it listens. `readyMs` is the time from the start of the process until then. */
export const startServer = async ({ folder }, env) => {
  const begun = performance.now()
  const child = spawn(process.execPath, [join(folder, 'dist/cli.js'), 'serve', '--port', '0', '--json'], {
    env: environment(env), stdio: ['ignore', 'pipe', 'inherit']
  })
  atEnd.push(() => child.kill())
  const lines = createInterface({ input: child.stdout })
  const [line] = await Promise.race([once(lines, 'line', { signal: AbortSignal.timeout(START_TIMEOUT_MS) }), endOf(child, 'serve')])
  const { endpoint } = JSON.parse(line)
  return { readyMs: performance.now() - begun, port: Number(new URL(endpoint).port), ...measured(child) }
}

/** What a bench reads of a server in a process of its own, and how it ends one before it ends itself. */
const measured = (child) => ({
  cpuMs: () => cpuMs(child.pid),
  memory: () => memoryOf(child.pid),
  async stop () {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
})

/** Milliseconds of processor time of the threads that a process has now. */
export const cpuMs = (pid) => readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
  try {
    return sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return sum
  }
}, 0)

/** Resident megabytes now, and at most so far. */
const memoryOf = (pid) => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]) / 1024
  return { now: field('VmRSS'), peak: field('VmHWM') }
}
