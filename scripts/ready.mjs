// Makes a fresh or changed clone runnable: installs when the lock is newer than what is installed, builds when a source is newer
// than what is built. Quiet and quick when there is nothing to do.
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync, utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Milliseconds; 0 when there is no such file.
 * @param {string} path
 */
const changed = (path) => statSync(root + path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** @param {string} folder */
const latest = (folder) => Math.max(changed(folder), ...readdirSync(root + folder, { recursive: true }).map((path) => changed(`${folder}/${path}`)))

/** @param {string[]} args */
const npm = (...args) => execFileSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })

const installed = 'node_modules/.package-lock.json'
if (changed(installed) < changed('package-lock.json')) {
  console.error('Installing dependencies …')
  npm('ci')
  utimesSync(root + installed, new Date(), new Date())
}

const built = 'dist/.tsbuildinfo'
if (!changed('dist/cli.js') || changed(built) < Math.max(latest('src'), latest('schemas'), changed('tsconfig.json'), changed(installed))) {
  console.error('Building …')
  npm('run', 'generate')
  npm('run', 'build')
  utimesSync(root + built, new Date(), new Date())
}
