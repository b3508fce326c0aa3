/** PostgreSQL, Valkey and nginx on loopback ports, tuned for tests: nothing has to survive. Folders and files are named as seen from inside. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DEBIAN } from './debian.mjs'
import { freePort, runInside, startInside } from './process.mjs'

const PROGRAMS = '/usr/lib/postgresql/17/bin'

/**
 * @param {string} folder
 * @param {{ user?: string, password?: string, settings?: string[] }} [options] of the superuser, and of the server
 */
export const startPostgres = async (folder, { user = 'postgres', password = randomBytes(16).toString('hex'), settings = [] } = {}) => {
  const port = await freePort()
  writeFileSync(`${DEBIAN}${folder}/password`, password)
  runInside([`${PROGRAMS}/initdb`, '-D', `${folder}/postgres`, '-U', user, '-A', 'scram-sha-256',
    `--pwfile=${folder}/password`, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions'])
  const pid = await runPostgres(`${folder}/postgres`, port, settings)
  return { pid, port, url: `postgres://${user}:${password}@127.0.0.1:${port}/postgres` }
}

/**
 * Runs one on the data that are there; answers its process id.
 * @param {string} data
 * @param {number} port
 * @param {string[]} settings
 */
export const runPostgres = (data, port, settings) => startInside(`${data}.log`, [
  `${PROGRAMS}/postgres`, '-D', data, '-k', dirname(data), '-p', `${port}`,
  ...['listen_addresses=127.0.0.1', 'fsync=off', 'max_connections=200', ...settings].flatMap((setting) => ['-c', setting])
], () => runInside([`${PROGRAMS}/pg_isready`, '-q', '-h', '127.0.0.1', '-p', `${port}`]))

/** A copy of the server at `url`, in `data`, that follows it from then on, once it runs. */
export const copyPostgres = (/** @type {string} */ url, /** @type {string} */ data) => {
  runInside([`${PROGRAMS}/pg_basebackup`, '-d', url, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
}

/** In memory only. */
export const startValkey = async (/** @type {string} */ folder, /** @type {number | undefined} */ given = undefined) => {
  const port = given ?? await freePort()
  const pid = await startInside(`${folder}/valkey.log`, ['/usr/bin/valkey-server', '--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder,
    '--save', '', '--appendonly', 'no', '--daemonize', 'no'], () => runInside(['/usr/bin/valkey-cli', '-p', `${port}`, 'ping']))
  return { pid, port, url: `redis://127.0.0.1:${port}` }
}

/**
 * Answers its process id when `url` first answers.
 * @param {string} folder
 * @param {string} configuration
 * @param {string} url
 */
export const startNginx = (folder, configuration, url) => {
  writeFileSync(`${DEBIAN}${folder}/nginx.conf`, configuration)
  return startInside(`${folder}/nginx.output`, ['/usr/sbin/nginx', '-e', 'stderr', '-c', `${folder}/nginx.conf`, '-g', 'daemon off;'], async () => {
    if (!(await fetch(url)).ok) throw new Error('not yet')
  })
}
