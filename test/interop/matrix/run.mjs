/**
 * Grades the official clients by every profile and writes docs/reference/client-matrix.md.
 * `npm run matrix -- CLIENT…` runs some of them; reports of earlier runs in RESULTS are used for the others.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CLIENTS } from './clients.mjs'
import { matrixPage } from './page.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CLI = process.env.MATRIX_CLI ?? join(ROOT, 'dist/cli.js')
const RESULTS = process.env.MATRIX_RESULTS ?? join(ROOT, '.tap/matrix')
const RUN_SECONDS = '60'

mkdirSync(RESULTS, { recursive: true })
const wanted = process.argv.slice(2)

for (const { id, command, installed } of CLIENTS) {
  if (!installed || (wanted.length > 0 && !wanted.includes(id))) continue
  console.log(`${id} …`)
  const { status, stderr } = spawnSync(process.execPath, [
    CLI, 'grade', '--profile', 'all', '--fail-on', 'never', '--timeout', RUN_SECONDS, '--report', `json=${join(RESULTS, `${id}.json`)}`, '--', ...command
  ], { cwd: ROOT, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
  if (status !== 0) console.log(stderr)
}

const reports = CLIENTS.flatMap((client) => {
  const file = join(RESULTS, `${client.id}.json`)
  return existsSync(file) ? [{ client, report: JSON.parse(readFileSync(file, 'utf8')) }] : []
})
if (reports.length > 0) writeFileSync(join(ROOT, 'docs/reference/client-matrix.md'), matrixPage(reports, CLIENTS))
