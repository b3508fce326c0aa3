/**
 * Runs the tests: `npm test` all but those in Chromium, `npm run test:browser` these, `npm test -- test/http test/cli.test.ts` some;
 * `--services` leaves out what needs neither PostgreSQL nor Valkey, `--other-node` files with a line `// @any-node: REASON`, which prove the
 * same on each version of Node. Other options that begin with `--` go to tap.
 * Where TEST_FAILED_FILE names a file, only the test files in it run, if it has any; then it holds those that failed, one a line.
 * Several files run in each process: starting Node, reading the modules and compiling the embedded database cost more than most tests.
 * A file with a line `// @own-process: REASON` has a process to itself; one with `// @waits: REASON` computes little.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { t, TapFile } from 'tap'
import { compile, ROOT } from './compile.mjs'
import { hasMarker } from './has-marker.mjs'
import { readDurations, runInLanes, sortFiles, writeDurations } from './schedule.mjs'
import { createTerminalReport } from './terminal-report.mjs'
import { usesServices } from './uses-services.mjs'
import { createWorkers } from './workers.mjs'

const TAP = join(ROOT, 'node_modules/tap/dist/esm/run.mjs')
const WORKER_BYTES = 2 ** 31
// Folders of this name hold tests in Chromium, which takes as much computing as a third of all others.
const BROWSER = /\/browser\//
const OWN_OPTIONS = /^--(?:browser|services|other-node)$/
const browserOnly = process.argv.includes('--browser')
const servicesOnly = process.argv.includes('--services')
const otherNode = process.argv.includes('--other-node')
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

await compile()
const durations = readDurations()
const files = [...new Set((named.length > 0 ? named : ['test']).flatMap(testsIn))]
  .filter((path) => browserOnly ? BROWSER.test(path) : named.length > 0 || !BROWSER.test(path))
  .filter((path) => !servicesOnly || usesServices(path))
  .filter((path) => !otherNode || !hasMarker(path, 'any-node'))

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

/** @type {string[]} */
const failed = []
/** @param {string} path */
const runFile = async (path) => {
  const run = await workers.run(path, hasMarker(path, 'own-process'))
  durations[path] = run.durationMs
  if (/^not ok /m.test(run.results)) failed.push(path)
  report(path, run)
}
// One more that compute than there are processors, as all files wait at times; TEST_JOBS where other programs use them too.
const computing = Number(process.env['TEST_JOBS']) || availableParallelism() + 1
const sorted = sortFiles(files, durations)
const lanes = Math.max(1, Math.min(computing + Number(sorted.waiting.length > 0), Math.floor(totalmem() / WORKER_BYTES), files.length))
await runInLanes(sorted, lanes, runFile)
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
writeDurations(durations)
if (failedFile) writeFileSync(failedFile, failed.map((path) => `${path}\n`).join(''))
