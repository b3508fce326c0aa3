/**
 * Grades the official clients and the command lines of coding agents by every profile, and writes docs/reference/client-matrix.md.
 * `npm run interop -- matrix CLIENT…` runs some of them; reports of earlier runs in RESULTS are used for the others. `--page` only writes the page.
 */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CLIENTS, NEVER_CONNECTS } from './clients.mjs'
import { matrixPage } from './page.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CLI = process.env.MATRIX_CLI ?? join(ROOT, 'dist/cli.js')
const RESULTS = process.env.MATRIX_RESULTS ?? join(ROOT, '.tap/matrix')
/** How many clients run at a time; they mostly wait. */
const LANES = Number(process.env.MATRIX_LANES ?? 2)
const RUN_SECONDS = 60

const page = process.argv.includes('--page')
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const fileOf = (id) => join(RESULTS, `${id}.json`)
const readReport = (file) => JSON.parse(readFileSync(file, 'utf8'))

const newerNode = () => process.env.MATRIX_NODE ?? execFileSync('npx', ['-y', '-p', 'node@24', 'node', '-p', 'process.execPath'], { encoding: 'utf8' }).trim()

/** Runs `grade` for one client and resolves when its report is written. Prints what `grade` refuses. */
const grade = ({ command, seconds = RUN_SECONDS }, profiles, file, env, ...options) => new Promise((resolve) => {
  execFile(process.execPath, [
    CLI, 'grade', ...options, '--profile', profiles, '--fail-on', 'never', '--timeout', String(seconds), '--report', `json=${file}`, '--', ...command
  ], { cwd: ROOT, env, maxBuffer: 256 * 1024 * 1024 }, (error, _stdout, stderr) => {
    if (error) console.log(stderr)
    resolve(!error)
  })
})

const isProfile = ({ group }) => group.startsWith('profiles')

/** Grades a client by every profile, and by those that it failed once more: a failure that does not come again was the machine's. */
const gradeTwice = async (client, env) => {
  const file = fileOf(client.id)
  if (!await grade(client, 'all', file, env)) return
  const report = readReport(file)
  const failed = report.checks.filter((check) => isProfile(check) && check.status === 'failed').map(({ id }) => id)
  if (failed.length === 0) return
  const second = join(RESULTS, `${client.id}.second.json`)
  if (!await grade(client, failed.join(','), second, env)) return
  const again = new Map(readReport(second).checks.filter(isProfile).map((check) => [check.id, check]))
  const checks = report.checks.map((check) => isProfile(check) && again.get(check.id)?.status === 'passed' ? again.get(check.id) : check)
  writeFileSync(file, JSON.stringify({ ...report, checks }))
}

if (!page) {
  mkdirSync(RESULTS, { recursive: true })
  const env = { ...process.env, MATRIX_NODE: newerNode() }
  const waiting = CLIENTS.filter(({ id, installed }) => installed && (wanted.length === 0 || wanted.includes(id)))
  const lane = async () => {
    for (let client = waiting.shift(); client; client = waiting.shift()) {
      const started = Date.now()
      await gradeTwice(client, env)
      if (client.authorizes) await grade(client, 'all', fileOf(`${client.id}.authorization`), env, '--authorization')
      console.log(`${client.id}: ${Math.round((Date.now() - started) / 1000)} s`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

const reportsOf = (kind) => CLIENTS.flatMap((client) => existsSync(fileOf(client.id + kind)) ? [{ client, report: readReport(fileOf(client.id + kind)) }] : [])
const reports = reportsOf('')
const authorized = reportsOf('.authorization')
if (reports.length > 0) writeFileSync(join(ROOT, 'docs/reference/client-matrix.md'), matrixPage(reports, authorized, CLIENTS, NEVER_CONNECTS))
