// Processes that run test files.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../helpers/root.js'

t.test('an error that no one catches fails its file at once, and the next file has another process', async (t) => {
  const failed = join(t.testdir(), 'failed')
  const files = ['test/scripts/late-error.ts', 'test/lib/async/event-loop-yield.test.ts']
  const env = { ...process.env, TEST_JOBS: '1', TEST_FAILED_FILE: failed }
  const results = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['scripts/test/run.mjs', '--reporter=tap', ...files], { cwd: ROOT, env }, (_error, stdout) => resolve(stdout))
  })
  t.match(results, /^ {4}ok 1 - before$/m)
  t.match(results, /^ {4}not ok - an uncaught error: too late$/m)
  t.match(results, /late-error\.ts:6/)
  t.match(results, /^not ok 1 - test\/scripts\/late-error\.ts/m)
  t.match(results, /^ok 2 - test\/lib\/async\/event-loop-yield\.test\.ts/m)
  t.equal(readFileSync(failed, 'utf8'), 'test/scripts/late-error.ts\n')
})
