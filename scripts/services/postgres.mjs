/** PostgreSQL on a loopback port, with a password of its own, tuned for tests: nothing has to survive. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { freePort, ready, runInside, startInside } from './process.mjs'

const PROGRAMS = '/usr/lib/postgresql/17/bin'

/**
 * @param {string} root
 * @param {string} folder seen from inside
 * @param {{ user?: string, password?: string, settings?: string[] }} [options] of the superuser, and of the server
 */
export const startPostgres = async (root, folder, { user = 'postgres', password = randomBytes(16).toString('hex'), settings = [] } = {}) => {
  const port = await freePort()
  writeFileSync(`${root}${folder}/password`, password)
  runInside(root, 'postgres', [`${PROGRAMS}/initdb`, '-D', `${folder}/postgres`, '-U', user, '-A', 'scram-sha-256',
    `--pwfile=${folder}/password`, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions'])
  const pid = await runPostgres(root, `${folder}/postgres`, port, settings)
  return { pid, port, url: `postgres://${user}:${password}@127.0.0.1:${port}/postgres` }
}

/**
 * Runs one on the data that are there; answers its process id.
 * @param {string} root
 * @param {string} data seen from inside
 * @param {number} port
 * @param {string[]} settings
 */
export const runPostgres = async (root, data, port, settings = []) => {
  const log = `${root}${data}.log`
  const pid = startInside(root, 'postgres', log, [`${PROGRAMS}/postgres`, '-D', data, '-k', dirname(data), '-p', `${port}`,
    ...['listen_addresses=127.0.0.1', 'fsync=off', 'max_connections=200', ...settings].flatMap((setting) => ['-c', setting])])
  await ready(root, pid, log, () => succeeds(() => runInside(root, 'postgres', [`${PROGRAMS}/pg_isready`, '-q', '-h', '127.0.0.1', '-p', `${port}`])))
  return pid
}

/**
 * A copy of a server that follows it from then on, once it runs.
 * @param {string} root
 * @param {string} url
 * @param {string} data seen from inside
 */
export const copyPostgres = (root, url, data) => {
  runInside(root, 'postgres', [`${PROGRAMS}/pg_basebackup`, '-d', url, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
}

/** @param {() => void} attempt */
const succeeds = (attempt) => {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}
