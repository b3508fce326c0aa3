// Programs that need a newer Node than the product: the official suite, and the Inspector.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** As src/cli/testing/conformance/official-suite.ts has it. */
export const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'

/** Its launcher, which takes `--cli` and `--web`. */
export const INSPECTOR = fileURLToPath(new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url))

const CACHE = fileURLToPath(new URL('node_modules/.cache/', import.meta.url))
const FOUND = join(CACHE, SUITE.replaceAll('/', ' '))

/** The folder with both programs. npx fetches them once, and a file says where, as each start of npx takes a second of CPU. */
const programs = () => {
  const has = (/** @type {string} */ folder) => existsSync(join(folder, 'conformance')) && existsSync(join(folder, 'node'))
  const known = existsSync(FOUND) ? readFileSync(FOUND, 'utf8') : ''
  if (has(known)) return known
  const printed = execFileSync('npx', ['-y', '-p', 'node@24', '-p', SUITE, '-c', 'printenv PATH'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const fetched = printed.trim().split(delimiter).find(has)
  if (fetched === undefined) throw new Error(`npx did not fetch ${SUITE}`)
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(FOUND, fetched)
  return fetched
}

/** @type {string | undefined} */
let found
const folder = () => (found ??= programs())

/** Node 24 itself. */
export const nodeProgram = () => join(folder(), 'node')

/**
 * An environment in which `node` is Node 24 and `conformance` the suite.
 * @returns {NodeJS.ProcessEnv}
 */
export const newerNode = () => {
  // Compiled once: most of them end as soon as they have begun.
  return { NODE_COMPILE_CACHE: join(CACHE, 'compiled'), ...process.env, PATH: `${folder()}${delimiter}${process.env.PATH}` }
}
