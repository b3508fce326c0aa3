/** PostgreSQL on a loopback port, with a password of its own, tuned for tests: nothing has to survive. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { freePort, ready, runInside, startInside } from './process.mjs'

const PROGRAMS = '/usr/lib/postgresql/17/bin'

/**
 * @param {string} root
 * @param {string} folder seen from inside
 * @param {{ user?: string, password?: string }} [superuser]
 */
export const startPostgres = async (root, folder, { user = 'postgres', password = randomBytes(16).toString('hex') } = {}) => {
  const port = await freePort()
  const log = `${root}${folder}/postgres.log`
  writeFileSync(`${root}${folder}/password`, password)
  runInside(root, 'postgres', [`${PROGRAMS}/initdb`, '-D', `${folder}/postgres`, '-U', user, '-A', 'scram-sha-256',
    `--pwfile=${folder}/password`, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions'])
  const pid = startInside(root, 'postgres', log, [`${PROGRAMS}/postgres`, '-D', `${folder}/postgres`, '-k', folder, '-p', `${port}`,
    '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off', '-c', 'max_connections=200'])
  await ready(root, pid, log, () => succeeds(() => runInside(root, 'postgres', [`${PROGRAMS}/pg_isready`, '-q', '-h', '127.0.0.1', '-p', `${port}`])))
  return { pid, port, url: `postgres://${user}:${password}@127.0.0.1:${port}/postgres` }
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
