/**
 * Runs the tests: `npm test` all but those in Chromium, `npm run test:browser` these, `npm test -- test/http test/cli.test.ts` some;
 * `--services` leaves out what needs neither PostgreSQL nor Valkey. Other options that begin with `--` go to tap.
 * Where TEST_FAILED_FILE names a file, only the test files in it run, if it has any; then it holds those that failed, one a line.
 * Several files run in each process: starting Node, reading the modules and compiling the embedded database cost more than most tests.
 * A file with a line `// @own-process: REASON` has a process to itself.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { t, TapFile } from 'tap'
import { BUILD, compile, ROOT } from './compile.mjs'
import { createTerminalReport } from './terminal-report.mjs'
import { usesServices } from './uses-services.mjs'
import { createWorkers } from './workers.mjs'

const DURATIONS = join(BUILD, 'durations.json')
const TAP = join(ROOT, 'node_modules/tap/dist/esm/run.mjs')
const WORKER_BYTES = 2 ** 31
// Where no run has measured yet, these begin, the longest first: each takes four seconds or more, some of them for what they wait for.
const LONG = [
  'commands/init-remote', 'cli', 'workbench/profiles', 'workbench/grade-command', 'platform/gateway', 'db/search-memory', 'lib/pathological',
  'server/database-image', 'http/caller-cost', 'docs/pages', 'db/pglite-crash', 'server/record-cache', 'search/embedder-unavailable',
  'search/search-thread/search-thread', 'deploy/data-folder', 'db/pglite', 'http/watchers', 'http/draining', 'web/oidc', 'telemetry/traces',
  'commands/init-page', 'commands/audit-life', 'mcp/http/streams', 'server/gateway', 'importers/records/robust', 'search/quality',
  'web/permissions', 'lib/redact/secrets'
].map((path) => `test/${path}.test.ts`)

const STARTS_PROCESSES = /from '(?:node:child_process|[^']*\/(?:git|imported|commands-in-one-process)\.js)'/
// Folders of this name hold tests in Chromium, which takes as much computing as a third of all others.
const BROWSER = /\/browser\//
const OWN_OPTIONS = /^--(?:browser|services)$/
const browserOnly = process.argv.includes('--browser')
const servicesOnly = process.argv.includes('--services')
const failedFile = process.env['TEST_FAILED_FILE']
delete process.env['TEST_FAILED_FILE']

const options = process.argv.slice(2).filter((arg) => arg.startsWith('-') && !OWN_OPTIONS.test(arg))

/**
 * Test files that failed before.
 * @returns {string[]}
 */
const readFailed = () => failedFile && existsSync(failedFile) ? readFileSync(failedFile, 'utf8').split('\n').filter(Boolean) : []

const failedBefore = readFailed()
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

/** @returns {Record<string, number>} milliseconds of the last run */
const readDurations = () => {
  try {
    return JSON.parse(readFileSync(DURATIONS, 'utf8'))
  } catch {
    return {}
  }
}

/**
 * Milliseconds that a file takes, as far as that is known.
 * @param {string} path
 */
const expected = (path) => durations[path] ?? (LONG.includes(path) ? 10_000 - LONG.indexOf(path) : 1000)

/** @param {string} path */
const textOf = (path) => readFileSync(join(ROOT, path), 'utf8')

/** @param {string} path */
const ownProcess = (path) => /^\/\/ @own-process\b/m.test(textOf(path))

/**
 * Whether a file starts processes: a fork copies the page tables of the worker, which takes 20 ms when the worker is new and 100 ms when
 * it has run many files.
 * @param {string} path
 */
const startsProcesses = (path) => STARTS_PROCESSES.test(textOf(path))

await compile()
const durations = readDurations()
const files = [...new Set((named.length > 0 ? named : ['test']).flatMap(testsIn))]
  .filter((path) => browserOnly ? BROWSER.test(path) : named.length > 0 || !BROWSER.test(path))
  .filter((path) => !servicesOnly || usesServices(path))
// The longest first, so that no process is left with it at the end; those that start processes before the others.
  .map((path) => ({ path, ms: expected(path), first: startsProcesses(path) }))
  .sort((one, other) => Number(other.first) - Number(one.first) || other.ms - one.ms || one.path.localeCompare(other.path))
  .map(({ path }) => path)

// Results are printed as they are, in short on a terminal, or by a reporter of tap.
const plain = options.includes('--reporter=tap') || (options.length === 0 && !process.stdout.isTTY)
const terminal = options.length === 0 && !plain ? createTerminalReport(process.stdout, files.length) : undefined
const reporter = plain || terminal ? undefined : spawn(process.execPath, [TAP, ...options, '-'], { cwd: ROOT, stdio: ['pipe', 'inherit', 'inherit'] })
const workers = createWorkers()
t.setTimeout(0)
t.pipe(terminal ? new Writable({ write: (_chunk, _encoding, done) => done() }) : reporter?.stdin ?? process.stdout)

/** @typedef {import('./workers.mjs').FileRun} FileRun */

/**
 * Results of a whole file at once, in the order in which files end: with `t.jobs` tap would keep them in the order of their beginnings, and
 * whoever is done would wait.
 * @param {string} path
 * @param {FileRun} run
 */
const report = (path, { results, durationMs, cpuMs }) => {
  terminal?.add(path, results)
  t.sub(TapFile, { name: `${path} (${Math.round(durationMs)} ms, ${Math.round(cpuMs)} ms of CPU)`, tapStream: Readable.from([results]), timeout: 0, at: null, stack: '' })
}

const waiting = [...files]
/** @type {string[]} */
const failed = []
const runNext = async () => {
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const run = await workers.run(path, ownProcess(path))
    durations[path] = run.durationMs
    if (/^not ok /m.test(run.results)) failed.push(path)
    report(path, run)
  }
}
// One more than there are processors, as some wait; TEST_JOBS where other programs use them too.
const wanted = Number(process.env['TEST_JOBS']) || availableParallelism() + 1
const jobs = Math.max(1, Math.min(wanted, Math.floor(totalmem() / WORKER_BYTES), files.length))
await Promise.all(Array.from({ length: jobs }, runNext))
const elsewhere = named.length === 0 && !browserOnly ? 'The tests in Chromium are run by: npm run test:browser' : undefined
if (elsewhere) t.comment(elsewhere)
t.end()
if (reporter) {
  const [code] = await once(reporter, 'exit')
  process.exitCode = code ?? 1
} else {
  await t.promise()
}
terminal?.end({ ...t.counts, seconds: performance.now() / 1000 })
if (terminal && elsewhere) console.log(elsewhere)
await workers.close()
writeFileSync(DURATIONS, JSON.stringify(durations))
if (failedFile) writeFileSync(failedFile, failed.map((path) => `${path}\n`).join(''))
