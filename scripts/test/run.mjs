/**
 * Runs the tests: `npm test` all but those in Chromium, `npm run test:browser` these, `npm test -- test/http test/cli.test.ts` some;
 * `--services` leaves out what needs neither PostgreSQL nor Valkey, `--other-node` files with a line `// @any-node: REASON`, which prove the
 * same on each version of Node. Other options that begin with `--` go to tap.
 * Where TEST_FAILED_FILE names a file, only the test files in it run, if it has any; then it holds those that failed, one a line.
 * Tap's own runner starts a process for each file, and each reads the modules and compiles the embedded database: fifteen files of test/access
 * and test/engine took 93 s of processors that way, and 19 s in two processes. So this is a queue of files, some processes that take the next
 * one from it (worker.mjs), and tap for all else. A file with a line `// @own-process: REASON` has a process to itself.
 */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { t, TapFile } from 'tap'
import { hasMarker, usesServices } from './choose.mjs'
import { compile, ROOT } from './compile.mjs'

const TAP = join(ROOT, 'node_modules/tap/dist/esm/run.mjs')
const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url))
// The engine of the embedded database is optimized late, and young objects have more room, so that they are collected less often. Where V8
// knows the second budget, JavaScript is optimized late as well: most of it runs a few times, and to compile that takes a twelfth of all computing.
const NODE_OPTIONS = ['--enable-source-maps', '--no-warnings', '--wasm-tiering-budget=2000000000', '--max-semi-space-size=64']
if (process.version.startsWith('v20.')) NODE_OPTIONS.push('--interrupt-budget=400000')
const WORKER_BYTES = 2 ** 31
// Memory of closed databases is given back late: a process with more than this makes room for a new one.
const MAX_RSS_BYTES = 1.5 * 2 ** 30
// Against tests that hang: no test relies on these.
const FILE_TIMEOUT_MS = 900_000
const END_TIMEOUT_MS = 30_000
// Folders of this name hold tests in Chromium, which takes as much computing as a third of all others.
const BROWSER = /\/browser\//
const OWN_OPTIONS = /^--(?:browser|services|other-node)$/
const browserOnly = process.argv.includes('--browser')
const servicesOnly = process.argv.includes('--services')
const otherNode = process.argv.includes('--other-node')
if (process.argv.includes('--help')) {
  console.log('npm test -- [FILE|FOLDER…] [--services] [--other-node] [OPTIONS OF TAP…]; without names: all tests but those in Chromium')
  process.exit(0)
}
const failedFile = process.env['TEST_FAILED_FILE']
delete process.env['TEST_FAILED_FILE']

const options = process.argv.slice(2).filter((arg) => arg.startsWith('-') && !OWN_OPTIONS.test(arg))

const failedBefore = failedFile && existsSync(failedFile) ? readFileSync(failedFile, 'utf8').split('\n').filter(Boolean) : []
const named = failedBefore.length > 0 ? failedBefore : process.argv.slice(2).filter((arg) => !arg.startsWith('-'))

/**
 * Test files under a file or folder, relative to the project.
 * @param {string} path
 * @returns {string[]}
 */
const testsIn = (path) => {
  const absolute = resolve(path)
  const found = statSync(absolute, { throwIfNoEntry: false })
  if (!found) {
    console.error(`There is no ${path}. Name files or folders with tests, such as test/http or test/cli.test.ts.`)
    process.exit(1)
  }
  if (!found.isDirectory()) return [relative(ROOT, absolute)]
  return readdirSync(absolute, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => relative(ROOT, join(absolute, file)))
}

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/**
 * Runs a file in a process of worker.mjs; answers what tap says, and how large the process is, unless it has ended.
 * @param {ChildProcess} worker
 * @param {string} path
 * @returns {Promise<{ results: string, rss?: number }>}
 */
const runIn = (worker, path) => new Promise((resolve) => {
  const timer = setTimeout(() => worker.kill('SIGKILL'), FILE_TIMEOUT_MS)
  /** @param {{ results?: string, rss?: number }} message tap sends some of its own */
  const finish = ({ results, rss }) => {
    if (results === undefined) return
    clearTimeout(timer)
    worker.off('message', finish).off('exit', onExit)
    resolve({ results, ...rss !== undefined && { rss } })
  }
  /**
   * @param {number | null} code
   * @param {string | null} signal
   */
  const onExit = (code, signal) => finish({ results: `\nnot ok - ${path}: the process ended with ${signal ?? code} in the middle of it\n` })
  worker.on('message', finish).once('exit', onExit)
  // One that cannot be reached has ended, which is noticed.
  worker.send({ path }, () => {})
})

/** A process that does not end by itself has something open: a server, a timer, a connection. */
const end = async (/** @type {ChildProcess} */ worker, /** @type {string} */ path) => {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const exited = once(worker, 'exit')
  if (worker.connected) worker.send('end', () => {})
  const timer = setTimeout(() => {
    console.error(`${path}: its process does not end: something is left open`)
    process.exitCode = 1
    worker.kill('SIGKILL')
  }, END_TIMEOUT_MS)
  await exited
  clearTimeout(timer)
}

await compile()
const files = [...new Set((named.length > 0 ? named : ['test']).flatMap(testsIn))]
  .filter((path) => browserOnly ? BROWSER.test(path) : named.length > 0 || !BROWSER.test(path))
  .filter((path) => !servicesOnly || usesServices(path))
  .filter((path) => !otherNode || !hasMarker(path, 'any-node'))

// Results are printed as they are, or by a reporter of tap.
const plain = options.includes('--reporter=tap') || (options.length === 0 && !process.stdout.isTTY)
const reporter = plain ? undefined : spawn(process.execPath, [TAP, ...options, '-'], { cwd: ROOT, stdio: ['pipe', 'inherit', 'inherit'] })
t.setTimeout(0)
t.pipe(reporter?.stdin ?? process.stdout)

/** @type {string[]} */
const failed = []
const isAlone = (/** @type {string} */ path) => hasMarker(path, 'own-process')
// To start a program copies the tables of a process's memory: tests that start many come while there is little.
const rank = (/** @type {string} */ path) => isAlone(path) ? 0 : /^test\/(?:importers|cli|client-testing)\//.test(path) ? 1 : 2
const queue = files.toSorted((one, other) => rank(one) - rank(other))

/** Runs files of the queue, one after another. Results of a file are printed when it has ended. */
const runQueue = async () => {
  /** @type {ChildProcess | undefined} */
  let worker
  let last = ''
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    last = path
    if (!worker?.connected) worker = undefined
    // What a test prints does not belong to the results.
    worker ??= fork(WORKER, { stdio: ['ignore', 2, 2, 'ipc'], env: { ...process.env, TEST_WORKER: '1' }, execArgv: NODE_OPTIONS })
    const begun = performance.now()
    const { results, rss = Infinity } = await runIn(worker, path)
    if (/^not ok /m.test(results)) failed.push(path)
    const name = `${path} (${Math.round(performance.now() - begun)} ms)`
    t.sub(TapFile, { name, tapStream: Readable.from([results]), timeout: 0, at: null, stack: '' })
    if (rss > MAX_RSS_BYTES || isAlone(path)) {
      await end(worker, path)
      worker = undefined
    }
  }
  if (worker) await end(worker, last)
}

// Two more than there are processors, as all files wait at times; TEST_JOBS where other programs use them too.
const wanted = Number(process.env['TEST_JOBS']) || availableParallelism() + 2
const processes = Math.max(1, Math.min(wanted, Math.floor(totalmem() / WORKER_BYTES), files.length))
await Promise.all(Array.from({ length: processes }, runQueue))
if (named.length === 0 && !browserOnly) t.comment('The tests in Chromium are run by: npm run test:browser')
t.end()
if (reporter) {
  const [code] = await once(reporter, 'exit')
  process.exitCode = code ?? 1
} else {
  await t.promise()
}
if (failedFile) writeFileSync(failedFile, failed.map((path) => `${path}\n`).join(''))
