/**
 * Installs the packages of folders that have a lock of their own, those of other people's programs: node scripts/install-packages.mjs FOLDER…
 * A folder whose packages are newer than its lock is left as it is.
 */
import { spawnSync } from 'node:child_process'
import { statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

// The lock of the agents lists builds for every system, and a registry may lack some: `npm ci` would fail for them.
const COMMAND = { 'test/interop/agents': ['install', '--no-save'] }
// What is in npm's cache is not asked for again: the locks name versions and digests.
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']

/** Milliseconds; 0 when there is no such file. */
const changed = (/** @type {string} */ path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

for (const folder of process.argv.slice(2)) {
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (changed(installed) > Math.max(changed(join(folder, 'package.json')), changed(join(folder, 'package-lock.json')))) continue
  const [program, shell] = process.platform === 'win32' ? ['npm.cmd', true] : ['npm', false]
  const command = COMMAND[/** @type {keyof typeof COMMAND} */ (folder)] ?? ['ci']
  const { status } = spawnSync(program, ['--prefix', folder, ...command, ...OPTIONS], { stdio: 'inherit', shell })
  if (status !== 0) process.exit(1)
  utimesSync(installed, new Date(), new Date())
}
