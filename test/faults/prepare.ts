/** What servers of any build have before they are under load: the sample data, and a credential that sees all of it. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Path of the file of records. */
export const SAMPLE = fileURLToPath(new URL('../../src/planning/sample.ndjson', import.meta.url))
// Is a member of each workspace of the sample.
const USER = 'mira.okafor@example.com'
// The credential of the load expires within the time that clocks are made to jump by.
const KEY_LIFE = '30m'

interface PlanRecord { type: string, exploration_id?: string, compilation_state?: string }

/** The exploration that calls ask for: it has a compiled plan. */
export const PLANNED = readFileSync(SAMPLE, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as PlanRecord)
  .find(({ type, compilation_state: state }) => type === 'execution_plan' && state === 'compiled')!.exploration_id!

/**
 * Runs a command of the program, the path of a `dist/cli.js`, and answers what it printed.
 * @throws with its standard error, when it fails
 */
export const runCommand = async (program: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'fatal', ...env }, maxBuffer: 2 ** 28
  })
  return stdout
}

/** Creates a key by a command; the same user has all of them. */
export const createKey = async (
  command: (...args: string[]) => Promise<string>, scope: 'read' | 'admin'
): Promise<{ id: string, key: string }> =>
  JSON.parse(await command('keys', 'create', '--user', USER, '--name', 'faults', '--scope', scope, '--expires-in', KEY_LIFE, '--json'))

/** What a server under load allows one credential. */
export const UNDER_LOAD = {
  DRAIN_SECONDS: '1',
  STREAMS_PER_CREDENTIAL: '100000',
  CONCURRENT_CALLS: '1000',
  RATE_LIMIT_ADMIN_PER_MINUTE: '1000000',
  RATE_LIMIT_ADMIN_PER_DAY: '1000000'
}

/** Starts a server by a command, and resolves when it listens. `ipc`: whether it can be sent messages. */
export const startServer = async (
  [command = '', ...args]: readonly string[], env: NodeJS.ProcessEnv, ipc = false
): Promise<ChildProcess> => {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], LOG_LEVEL: process.env['FAULT_LOG'] ?? 'fatal', ...env },
    stdio: ['ignore', 'pipe', 'inherit', ...ipc ? ['ipc' as const] : []]
  })
  await Promise.race([once(child.stdout!, 'data'), once(child, 'exit').then(() => { throw new Error('the server does not start') })])
  child.stdout!.resume()
  return child
}

/** Ends it, unless it has ended. */
export const endServer = async (child: ChildProcess | undefined, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
