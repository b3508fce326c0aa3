// Processes that run test files.
import t from 'tap'
import { createWorkers } from '../../scripts/test/workers.mjs'

t.test('an error that nobody catches fails its file at once, and the next file has another process', async (t) => {
  const workers = createWorkers()
  const { results } = await workers.run('test/scripts/late-error.ts', false)
  t.match(results, /^ok 1 - before$/m)
  t.match(results, /^not ok - an error that nobody caught: too late$/m)
  t.match(results, /late-error\.ts:6/)
  const next = await workers.run('test/lib/async/event-loop-yield.test.ts', false)
  t.match(next.results, /^ok 1 /m)
  t.notMatch(next.results, /^not ok/m)
  await workers.close()
})
