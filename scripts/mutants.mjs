/**
 * `npm run mutants -- [ROWS…]`: does the test fail that proves a requirement, when the server breaks it? test/conformance/mutants.json has a
 * change for each MUST of servers: the file, the text and what stands there instead, and the test. Each is made in a copy of the project, alone.
 * Outside CI, as a run of all takes half an hour. Exit code 1 when a mutant survives.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** @typedef {{ row: string, file: string, from: string, to: string, test: string }} Mutant */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TIMEOUT_MS = 90_000
const NOT_COPIED = /(?:^|\/)(?:node_modules|dist|\.git|\.test-build|\.tap|\.data|\.venv)(?:\/|$)/
// A mutant that is no program proves nothing.
const NO_PROGRAM = /SyntaxError|Transform failed|ERR_MODULE_NOT_FOUND|does not provide an export/

/** @type {Mutant[]} */
const all = JSON.parse(readFileSync(join(ROOT, 'test/conformance/mutants.json'), 'utf8'))
const rows = process.argv.slice(2)
const unknown = rows.filter((row) => !all.some((mutant) => mutant.row === row))
if (unknown.length > 0) {
  console.error(`There is no mutant of ${unknown.join(', ')}.`)
  process.exit(2)
}
const mutants = all.filter(({ row }) => rows.length === 0 || rows.includes(row))

const copy = mkdtempSync(join(tmpdir(), 'mutants-'))
cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.test(path.slice(ROOT.length)) })
for (const name of ['node_modules', 'dist']) symlinkSync(join(ROOT, name), join(copy, name))

/** Runs a test file in the copy; answers whether it passed, failed, hangs, or is no program. */
const run = async (/** @type {string} */ test) => {
  const child = spawn(process.execPath, ['scripts/test/run.mjs', '--reporter=tap', test], {
    cwd: copy, env: { ...process.env, TEST_JOBS: '1' }, stdio: ['ignore', 'pipe', 'pipe'], detached: true
  })
  const timer = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), TIMEOUT_MS)
  const [[code, signal], ...texts] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  clearTimeout(timer)
  const printed = texts.join('')
  return { outcome: signal ? 'hangs' : code === 0 ? 'passed' : NO_PROGRAM.test(printed) ? 'no program' : 'failed', printed }
}

let survivors = 0
try {
  for (const test of new Set(mutants.map((mutant) => mutant.test))) {
    const own = mutants.filter((mutant) => mutant.test === test)
    // What fails anyway kills nothing.
    const { outcome, printed } = await run(test)
    if (outcome !== 'passed') {
      survivors += own.length
      console.error(`${test} does not pass without a mutant:\n${printed.slice(-600)}`)
      continue
    }
    for (const { row, file, from, to } of own) {
      const path = join(copy, file)
      const source = readFileSync(path, 'utf8')
      const begun = performance.now()
      if (source.split(from).length !== 2) {
        survivors++
        console.log(`stale     ${row}: ${file} does not have its text once`)
        continue
      }
      writeFileSync(path, source.replace(from, () => to))
      const { outcome } = await run(test)
      writeFileSync(path, source)
      const isKilled = outcome === 'failed' || outcome === 'hangs'
      if (!isKilled) survivors++
      console.log(`${isKilled ? 'killed   ' : 'SURVIVED '} ${row} (${test}, ${outcome}, ${Math.round((performance.now() - begun) / 1000)} s)`)
    }
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${mutants.length - survivors} of ${mutants.length} killed.`)
process.exitCode = survivors === 0 ? 0 : 1
