/**
 * Other people's programs against a started server, their packages first: `npm run interop -- [PART] [ARGUMENTS…]`. PART is `clients` (when
 * absent), `cross-check` (them in the official suite and in `grade`), `agents` (their command lines) or `matrix` (the page of clients).
 */
import { spawnSync } from 'node:child_process'

const AGENTS = 'test/interop/agents'
/** @type {Record<string, { folders: string[], args: string[] }>} */
const PARTS = {
  clients: { folders: ['test/interop'], args: ['test/interop/all.mjs'] },
  'cross-check': { folders: ['test/interop'], args: ['--test', 'test/interop/cross-check.test.mjs'] },
  agents: { folders: [AGENTS], args: ['test/interop/all.mjs', 'agents'] },
  matrix: { folders: ['test/interop', AGENTS], args: ['test/interop/matrix/run.mjs'] }
}

const [name = 'clients', ...options] = process.argv.slice(2)
const part = PARTS[name]
if (part === undefined) {
  console.error(`There is no part ${name}, only ${Object.keys(PARTS).join(', ')}.`)
  process.exit(2)
}
for (const args of [['scripts/install-packages.mjs', ...part.folders], [...part.args, ...options]]) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
