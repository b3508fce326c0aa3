/** Programs inside the small Debian, as its user postgres: run to the end, started to stay, stopped by their id. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { DEBIAN } from './debian.mjs'

const TIMEOUT_MS = 20_000
const CHROOT = ['--userspec=postgres:postgres', DEBIAN]
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' }

/** @typedef {{ name: string, pid: number, signal: 'SIGINT' | 'SIGTERM' }} Started */

/**
 * @param {string[]} command
 * @param {Record<string, string>} [environment]
 */
export const runInside = (command, environment) => {
  execFileSync('chroot', [...CHROOT, ...command], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...ENVIRONMENT, ...environment } })
}

/**
 * Starts a program, and answers its process id when `isReady` first throws nothing; tells the end of the log when it dies or never is.
 * @param {string} log seen from inside
 * @param {string[]} command
 * @param {() => void | Promise<void>} isReady
 */
export const startInside = async (log, command, isReady) => {
  const output = openSync(DEBIAN + log, 'a', 0o600)
  const child = spawn('chroot', [...CHROOT, ...command], { detached: true, stdio: ['ignore', output, output], env: ENVIRONMENT })
  const { pid } = child
  if (pid === undefined) throw new Error(`${command[0]} does not start`)
  child.unref()
  const end = Date.now() + TIMEOUT_MS
  // Until chroot has run, the process still sees the root of the whole machine.
  let begun = false
  while (Date.now() < end) {
    begun ||= isInside(pid)
    if (begun && !isInside(pid)) break
    try {
      await isReady()
      return pid
    } catch {
      await pause(50)
    }
  }
  throw new Error(`not ready: ${readFileSync(DEBIAN + log, 'utf8').slice(-2000)}`)
}

/**
 * Ends what was started; a process that took over the id of one long gone is left alone.
 * @param {Started} started
 */
export const stop = async ({ name, pid, signal }) => {
  const end = Date.now() + TIMEOUT_MS
  if (isInside(pid)) process.kill(pid, signal)
  while (isInside(pid)) {
    if (Date.now() > end) {
      process.kill(pid, 'SIGKILL')
      throw new Error(`${name} did not stop by itself`)
    }
    await pause(50)
  }
}

const isInside = (/** @type {number} */ pid) => {
  try {
    return readlinkSync(`/proc/${pid}/root`) === DEBIAN
  } catch {
    return false
  }
}

// Below those that the system gives to anyone who asks for any; each process begins elsewhere.
const PORTS = { first: 20_000, count: 12_000, ofOneProcess: 40 }
let given = process.pid * PORTS.ofOneProcess

/** A port that no one listens on, and that no one else is given before it is used. */
export const freePort = async () => {
  for (;;) {
    const port = PORTS.first + given++ % PORTS.count
    if (await isFree(port)) return port
  }
}

const isFree = async (/** @type {number} */ port) => {
  const server = createServer().listen(port, '127.0.0.1')
  return await once(server, 'listening').then(() => true, () => false).finally(() => server.close())
}
