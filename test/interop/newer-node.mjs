// Programs that need a newer Node than the product: the official suite, and the Inspector.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** As src/cli/testing/conformance/official-suite.ts has it. */
export const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'

/** Its launcher, which takes `--cli` and `--web`. */
export const INSPECTOR = fileURLToPath(new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url))

const COMPILED = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

let path

/** An environment in which `node` is Node 24 and `conformance` the suite. npx fetches them once, as each start of npx takes a second of CPU. */
export const newerNode = () => {
  path ??= execFileSync('npx', ['-y', '-p', 'node@24', '-p', SUITE, '-c', 'printenv PATH'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  // Compiled once: most of them end as soon as they have begun.
  return { NODE_COMPILE_CACHE: COMPILED, ...process.env, PATH: path }
}
