/** Programs inside the small Debian: run to the end, started to stay, stopped by their id. */
import { execFileSync, spawn } from 'node:child_process'
import { openSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const TIMEOUT_MS = 20_000

/** @typedef {{ name: string, pid: number, signal: 'SIGINT' | 'SIGTERM' }} Started */

/**
 * @param {string} root
 * @param {string} user
 * @param {string[]} command
 * @param {Record<string, string>} [environment]
 */
export const runInside = (root, user, command, environment) => {
  execFileSync('chroot', [`--userspec=${user}:${user}`, root, ...command], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...ENVIRONMENT, ...environment } })
}

/**
 * @param {string} root
 * @param {string} user
 * @param {string} log
 * @param {string[]} command
 */
export const startInside = (root, user, log, command) => {
  const output = openSync(log, 'a', 0o600)
  const child = spawn('chroot', [`--userspec=${user}:${user}`, root, ...command], { detached: true, stdio: ['ignore', output, output], env: ENVIRONMENT })
  if (child.pid === undefined) throw new Error(`${command[0]} does not start`)
  child.unref()
  return child.pid
}

/**
 * Resolves when `isReady` first says so; tells the end of the log when the program dies or never is.
 * @param {string} root
 * @param {number} pid
 * @param {string} log
 * @param {() => boolean | Promise<boolean>} isReady
 */
export const ready = async (root, pid, log, isReady) => {
  const end = Date.now() + TIMEOUT_MS
  // Until chroot has run, the process still sees the root of the whole machine.
  let begun = false
  while (Date.now() < end) {
    begun ||= isInside(root, pid)
    if (begun && !isInside(root, pid)) break
    if (await isReady()) return
    await pause(50)
  }
  throw new Error(`not ready: ${readFileSync(log, 'utf8').slice(-2000)}`)
}

/**
 * Ends what was started; a process that took over the id of one long gone is left alone.
 * @param {string} root
 * @param {Started} started
 */
export const stop = async (root, { name, pid, signal }) => {
  const end = Date.now() + TIMEOUT_MS
  if (isInside(root, pid)) process.kill(pid, signal)
  while (isInside(root, pid)) {
    if (Date.now() > end) {
      process.kill(pid, 'SIGKILL')
      throw new Error(`${name} did not stop by itself`)
    }
    await pause(50)
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

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
const isFree = (port) => new Promise((resolve) => {
  const server = createServer().once('error', () => resolve(false)).listen(port, '127.0.0.1', () => { server.close(() => resolve(true)) })
})

const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' }

const isInside = (/** @type {string} */ root, /** @type {number} */ pid) => {
  try {
    return readlinkSync(`/proc/${pid}/root`) === root
  } catch {
    return false
  }
}
