// npm run bench -- NAME [OPTIONS]: runs one bench. With --against DIR, another checkout that is built, both builds are measured in turns in one run.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url))
const SERVICES = pathOf('../services/run.mjs')
/** The arguments of Node for each bench. */
const BENCHES = {
  engine: [pathOf('engine.mjs')],
  embedded: [pathOf('embedded.mjs')],
  hosted: [SERVICES, process.execPath, pathOf('hosted.mjs')],
  audit: [SERVICES, process.execPath, pathOf('audit.mjs')],
  scale: [pathOf('../scale/simulate.mjs')],
  search: [pathOf('../test/run-compiled.mjs'), 'test/search/eval.ts']
}

const run = (args) => {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const [name, ...options] = process.argv.slice(2)
const bench = BENCHES[name]
if (bench === undefined) {
  console.error(`Usage: npm run bench -- ${Object.keys(BENCHES).join('|')} [--against DIR] [OPTIONS]`)
  process.exit(2)
}
run([pathOf('../ready.mjs')])
run([...bench, ...options])
