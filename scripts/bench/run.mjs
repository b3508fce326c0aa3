// npm run bench -- NAME [OPTIONS]: runs one bench. With --against DIR, another checkout that is built, both builds are measured in turns in one run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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

const run = async (args) => {
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit')
  if (code !== 0) process.exit(code ?? 1)
}

const [name, ...options] = process.argv.slice(2)
const bench = BENCHES[name]
if (bench === undefined) {
  console.error(`Usage: npm run bench -- ${Object.keys(BENCHES).join('|')} [--against DIR] [OPTIONS]`)
  process.exit(2)
}
await run([pathOf('../ready.mjs')])
await run([...bench, ...options])
