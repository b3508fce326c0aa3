/** A small Debian with PostgreSQL 17 and pgvector, Valkey and nginx in a folder, made once and kept below the system's temporary folder. Needs root. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SUITE = 'trixie'
const PACKAGES = ['postgresql-17', 'postgresql-17-pgvector', 'valkey-server', 'nginx-light']
const FOLDER = join(tmpdir(), `exploration-mcp-${SUITE}`)

/** The folder to `chroot` into. */
export const debian = () => {
  if (!existsSync(FOLDER)) build()
  return FOLDER
}

/** Nothing is ever half made at the folder's own name, anyone who is killed and however many build at a time. */
const build = () => {
  if (process.getuid?.() !== 0) throw new Error('only root can make the services\' system: run this as root')
  if (!existsSync('/usr/sbin/debootstrap')) install()
  const making = mkdtempSync(`${FOLDER}.`)
  try {
    run('debootstrap', '--variant=minbase', `--include=${PACKAGES.join(',')}`, SUITE, making, mirror())
    chmodSync(making, 0o755)
    renameSync(making, FOLDER)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(FOLDER)) throw error
  }
}

const install = () => {
  run('apt-get', 'update', '-qq')
  run('apt-get', 'install', '-qq', '--no-install-recommends', 'debootstrap')
}

/** Where this machine itself gets Debian from. */
const mirror = () => {
  const folder = '/etc/apt/sources.list.d'
  const lists = ['/etc/apt/sources.list', ...readdirSync(folder).sort().map((name) => join(folder, name))].filter((path) => existsSync(path))
  for (const list of lists) {
    const [, address] = /^(?:URIs:|deb(?: \[.*?\])?)\s+(\S+\/debian)\/?(?:\s|$)/m.exec(readFileSync(list, 'utf8')) ?? []
    if (address !== undefined) return address
  }
  throw new Error('no Debian mirror is named in /etc/apt')
}

/**
 * @param {string} command
 * @param {string[]} args
 */
const run = (command, ...args) => {
  execFileSync(command, args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
}
