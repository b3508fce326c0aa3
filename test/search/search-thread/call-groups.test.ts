// Questions that wait together in the thread of search are answered in one message.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { createCallGroups } from '../../../src/search/search-thread/call-groups.js'
import type { ThreadAnswers, ThreadMessage } from '../../../src/search/search-thread/thread-calls.js'

const started = (t: Test) => {
  const worker = new Worker(new URL('../../../src/search/search-thread/search-worker.js', import.meta.url), { workerData: {} })
  t.teardown(() => worker.terminate())
  const received: number[][] = []
  const ended = (id: number) => received.some((ids) => ids.includes(id))
  worker.on('message', (answers: ThreadAnswers) => received.push(answers.map(({ id }) => id)))
  return {
    received,
    post: (...messages: ThreadMessage[]) => { for (const message of messages) worker.postMessage(message) },
    async until (id: number) {
      while (!ended(id)) await once(worker, 'message')
    }
  }
}

const question = (id: number): ThreadMessage =>
  ({ id, name: 'embed', question: { texts: [{ parts: [{ text: `question ${id}`, weight: 1 }] }], kind: 'query' } })

t.test('the thread answers questions in their order, also when somebody does not wait any more', async (t) => {
  const { received, post, until } = started(t)
  post(...[1, 2, 3].map(question), { cancel: 2 }, ...[4, 5, 6, 7].map(question))
  await until(7)
  t.strictSame(received.flat(), [1, 2, 3, 4, 5, 6, 7])
  t.ok(received.every((ids) => ids.length <= 2), 'at most two in a message')
})

/** Groups whose calls end when the test says so. */
const controlled = () => {
  const clock = { ms: 0 }
  const sent: number[][] = []
  const served: number[] = []
  const ends = new Map<number, (value: number) => void>()
  const accept = createCallGroups<number, number>({
    isQuestion: (call) => call < 100,
    serve: (call) => {
      served.push(call)
      return new Promise((resolve) => ends.set(call, resolve))
    },
    send: (answers) => sent.push(answers),
    now: () => clock.ms
  })
  const turn = () => new Promise((resolve) => { setImmediate(resolve) })
  return {
    clock,
    sent,
    served,
    accept,
    async finish (...calls: number[]) {
      for (const call of calls) {
        while (!ends.has(call)) await turn()
        ends.get(call)?.(call)
        await turn()
      }
    },
    turn
  }
}

t.test('questions of a group are served one after the other; what nobody waits for is served beside them', async (t) => {
  const { sent, served, accept, finish, turn } = controlled()
  for (const call of [1, 2, 100]) accept(call)
  await turn()
  t.strictSame(served, [100, 1])
  await finish(100)
  t.strictSame(sent, [[100]], 'its answer waits for no other')
  await finish(1, 2)
  t.strictSame(served, [100, 1, 2])
})

t.test('answers of questions that wait together leave together, at most two; what comes meanwhile is the next group', async (t) => {
  const { sent, accept, finish, turn } = controlled()
  accept(1)
  await turn()
  for (const call of [2, 3, 4, 5, 6, 7]) accept(call)
  await finish(1, 2, 3, 4, 5, 6, 7)
  t.strictSame(sent, [[1], [2, 3], [4, 5], [6, 7]])
  accept(8)
  await finish(8)
  t.strictSame(sent.at(-1), [8], 'after a pause too')
})

t.test('an answer does not wait for long', async (t) => {
  const { clock, sent, accept, finish, turn } = controlled()
  for (const call of [1, 2, 3, 4]) accept(call)
  await turn()
  clock.ms += 10
  await finish(1)
  t.strictSame(sent, [[1]])
  await finish(2, 3, 4)
  t.strictSame(sent, [[1], [2], [3, 4]])
})
