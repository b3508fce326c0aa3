/** A small Debian with PostgreSQL 17 and pgvector, Valkey and nginx in a folder, made once and kept below /tmp. Needs root. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'

const SUITE = 'trixie'
const PACKAGES = ['postgresql-17', 'postgresql-17-pgvector', 'valkey-server', 'nginx-light']

/** The folder to `chroot` into. */
export const DEBIAN = `/tmp/exploration-mcp-${SUITE}`

/** A new folder for its user postgres, named as it is seen from inside. Makes the system where there is none. */
export const folderInside = () => {
  if (!existsSync(DEBIAN)) build()
  const folder = mkdtempSync(`${DEBIAN}/srv/`).slice(DEBIAN.length)
  giveToPostgres(folder)
  return folder
}

/** Gives a folder, named as it is seen from inside, to the user postgres, with all that is in it. */
export const giveToPostgres = (/** @type {string} */ folder) => { run('chroot', DEBIAN, 'chown', '-R', 'postgres:postgres', folder) }

/** Nothing is ever half made at the folder's own name, anyone who is killed and however many build at a time. */
const build = () => {
  if (process.getuid?.() !== 0) throw new Error('only root can make the services\' system: run this as root')
  if (!existsSync('/usr/sbin/debootstrap')) {
    run('apt-get', 'update', '-qq')
    run('apt-get', 'install', '-qq', '--no-install-recommends', 'debootstrap')
  }
  const making = mkdtempSync(`${DEBIAN}.`)
  try {
    run('debootstrap', '--variant=minbase', `--include=${PACKAGES.join(',')}`, SUITE, making, mirror())
    chmodSync(making, 0o755)
    renameSync(making, DEBIAN)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(DEBIAN)) throw error
  }
}

/** Where this machine itself gets Debian from. */
const mirror = () => {
  const addresses = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { encoding: 'utf8' }).split('\n')
  const found = addresses.find((address) => address.endsWith('/debian/'))
  if (found === undefined) throw new Error('no Debian mirror is named in /etc/apt')
  return found
}

/**
 * @param {string} command
 * @param {string[]} args
 */
const run = (command, ...args) => {
  execFileSync(command, args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
}
