// In which order and beside which others test files run.
import t from 'tap'
import { runInLanes, sortFiles } from '../../scripts/test/schedule.mjs'

t.test('files that mostly wait, and files that compute, each the longest first', async (t) => {
  const paths = ['terminal-report', 'schedule'].map((name) => `test/scripts/${name}.test.ts`)
    .concat('test/platform-api/client/client.test.ts', 'test/http/draining.test.ts')
  const durations = { 'test/platform-api/client/client.test.ts': 20, 'test/http/draining.test.ts': 30, 'test/scripts/terminal-report.test.ts': 10 }
  t.same(sortFiles(paths, durations), {
    computing: ['test/scripts/schedule.test.ts', 'test/scripts/terminal-report.test.ts'],
    waiting: ['test/http/draining.test.ts', 'test/platform-api/client/client.test.ts']
  }, 'one that nobody has measured may be long')
})

/** Files that began and did not end until the test lets them. */
const beginFiles = (files: { computing: string[], waiting: string[] }, lanes: number) => {
  const running = new Map<string, () => void>()
  const order: string[] = []
  const ended = runInLanes(files, lanes, (path) => new Promise((resolve) => {
    order.push(path)
    running.set(path, resolve)
  }))
  const end = async (path: string) => {
    running.get(path)?.()
    running.delete(path)
    await new Promise(setImmediate)
  }
  return { ended, end, order, running: () => [...running.keys()].sort() }
}

const FILES = { computing: ['c1', 'c2', 'c3'], waiting: ['w1', 'w2'] }

t.test('beside the lanes that compute there is one for files that wait', async (t) => {
  const { ended, end, order, running } = beginFiles(FILES, 3)
  t.same(running(), ['c1', 'c2', 'w1'])
  await end('w1')
  t.same(running(), ['c1', 'c2', 'w2'])
  for (const path of ['c1', 'c2', 'c3', 'w2']) await end(path)
  await ended
  t.same(order.sort(), ['c1', 'c2', 'c3', 'w1', 'w2'], 'each of them once')
})

t.test('two lanes, or one, take what computes first', async (t) => {
  const { ended, end, running } = beginFiles(FILES, 2)
  t.same(running(), ['c1', 'c2'])
  for (const path of ['c1', 'c2', 'c3', 'w1', 'w2']) await end(path)
  await ended
})

t.test('when all that compute have ended, their lanes take files that wait', async (t) => {
  const { ended, end, running } = beginFiles({ computing: ['c1'], waiting: ['w1', 'w2', 'w3'] }, 3)
  t.same(running(), ['c1', 'w1', 'w2'])
  for (const path of ['c1', 'w1', 'w2', 'w3']) await end(path)
  await ended
})
