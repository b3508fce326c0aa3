// Calls of a worker thread: in order, bounded in time, and again after the thread ended.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { workerThread, type WorkerThreadOptions } from '../../../src/lib/async/worker-thread.js'

const LIB = new URL('../../../src/lib/async/worker-thread.js', import.meta.url)

/** A thread whose module answers with `answer`, the body of a function of `request`, and counts its requests in `served`. */
const started = (t: Test, answer: string, options: Partial<WorkerThreadOptions> = {}) => {
  const module = new URL(`data:text/javascript,${encodeURIComponent(`
    import { threadId, workerData } from 'node:worker_threads'
    import { existsSync, writeFileSync } from 'node:fs'
    import { serveWorker } from ${JSON.stringify(LIB.href)}
    let served = 0
    serveWorker(async (request) => {
      served++
      ${answer}
    })`)}`)
  const thread = workerThread<unknown, unknown>(module, { idleMs: 60_000, callTimeoutMs: 60_000, ...options })
  t.teardown(() => thread.close())
  return thread
}

t.test('each call gets its own answer, in order; its error, and its leaving, are its own', async (t) => {
  const answer = "if (request === 'bad') throw new RangeError('not that'); return [request, served, workerData, threadId]"
  const { call } = started(t, answer, { workerData: 'data' })
  const leaving = new AbortController()
  const [a, b, bad, left, last] = [call('a'), call('b'), call('bad'), call('left', leaving.signal), call('last')]
  leaving.abort(new Error('enough'))
  await Promise.all([t.rejects(left, { message: 'enough' }), t.rejects(bad, { name: 'RangeError', message: 'not that' })])
  const [one, other, later] = await Promise.all([a, b, last]) as unknown[][]
  t.strictSame([one!.slice(0, 3), other!.slice(0, 3)], [['a', 1, 'data'], ['b', 2, 'data']])
  t.strictSame([later![0], later![3]], ['last', one![3]], 'by the same thread')
  await t.rejects(call('never', AbortSignal.abort(new Error('never'))), { message: 'never' })
})

t.test('a thread that ended is started again, and asked again', async (t) => {
  const marker = join(t.testdir(), 'died')
  const { call } = started(t, 'if (existsSync(workerData)) return request; writeFileSync(workerData, String()); process.exit(3)', { workerData: marker })
  t.strictSame(await Promise.all([call('one'), call('other')]), ['one', 'other'])
  t.ok(existsSync(marker))
})

t.test('a thread that always ends says so', async (t) => {
  const { call } = started(t, "setImmediate(() => { throw new Error('no memory') }); await new Promise(() => {})")
  await t.rejects(call('a'), { name: 'WorkerEnded', message: 'The worker thread ended by itself (no memory).' })
})

t.test('a call that does not end ends the thread', async (t) => {
  // Holds its thread, and no processor.
  const answer = "while (request === 'endless') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); return request"
  const { call } = started(t, answer, { callTimeoutMs: 3000 })
  await t.rejects(call('endless'), { name: 'WorkerEnded', message: /a call took more than 3000 ms/ })
  t.equal(await call('short'), 'short')
})

t.test('a thread without a call ends', async (t) => {
  const { call } = started(t, 'return threadId', { idleMs: 1 })
  const first = await call('a')
  // Each call may find the thread of the one before or a new one; some time it is a new one.
  while (await call('a') === first) await new Promise((resolve) => { setTimeout(resolve, 5) })
  t.pass()
})

t.test('what is closed answers no more', async (t) => {
  const { call, close } = started(t, 'await new Promise(() => {})')
  const waiting = call('a')
  await Promise.all([t.rejects(waiting, { name: 'WorkerEnded', message: /closing/ }), close()])
  await t.rejects(call('b'), { name: 'WorkerEnded', message: /closing/ })
})
