// How requests begin: a few in each turn, the callers in turn, connections that wait to be accepted first.
import { EventEmitter } from 'node:events'
import { createServer } from 'node:net'
import t from 'tap'
import { createRequestScheduler } from '../../src/http/request-scheduler.js'
import { build, toolCall } from '../helpers/build.js'
import { until } from '../helpers/until.js'

const nextTurn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve) })

const scheduler = (options?: { maxPerTurn?: number, maxAcceptMs?: number, now?: () => number }) => {
  const server = new EventEmitter()
  const begun: string[] = []
  const { schedule } = createRequestScheduler(createServer().on('newListener', (name: string, listener: () => void) => {
    server.on(name, listener)
  }), options)
  return {
    begun,
    accept: () => { server.emit('connection') },
    ask: (caller: string, name = caller) => schedule(caller, () => { begun.push(name) })
  }
}

t.test('a request begins at once while the turn has room, and the others in the turns that follow', async (t) => {
  const { begun, ask } = scheduler({ maxPerTurn: 2 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) ask('a', name)
  t.same(begun, ['a1', 'a2'])
  await nextTurn()
  t.same(begun, ['a1', 'a2', 'a3', 'a4'])
  await nextTurn()
  t.same(begun, ['a1', 'a2', 'a3', 'a4', 'a5'])
  await nextTurn()
  ask('a', 'a6')
  t.equal(begun.at(-1), 'a6', 'at once again')
})

t.test('who has many requests waiting delays another by one of them', async (t) => {
  const { begun, ask } = scheduler({ maxPerTurn: 2 })
  for (let n = 1; n <= 6; n++) ask('greedy', `greedy ${n}`)
  ask('other')
  await nextTurn()
  t.same(begun, ['greedy 1', 'greedy 2', 'greedy 3', 'other'])
})

t.test('connections that arrive are accepted first, but not for long', async (t) => {
  let now = 0
  const { begun, ask, accept } = scheduler({ maxAcceptMs: 10, now: () => now })
  accept()
  ask('a')
  t.same(begun, [], 'another connection may wait')
  await nextTurn()
  t.same(begun, [])
  accept()
  now = 5
  await nextTurn()
  t.same(begun, [], 'another was accepted')
  accept()
  now = 10
  await nextTurn()
  t.same(begun, ['a'], 'it has waited long enough')
  await nextTurn()
  accept()
  ask('b')
  await nextTurn()
  await nextTurn()
  t.same(begun, ['a', 'b'], 'no further connection was accepted')
})

t.test('many connections at once are all served', async (t) => {
  const { app, key } = await build(t)
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/mcp`
  const { headers, body } = toolCall(key, 'ping')
  const answers = await Promise.all(Array.from({ length: 60 }, async () => {
    const { status } = await fetch(url, { method: 'POST', headers, body })
    return status
  }))
  // More than a credential may have under way are refused; none is left without an answer.
  t.same([...new Set(answers)].filter((status) => status !== 200 && status !== 429), [])
  t.ok(answers.includes(200))
  await until(async () => (await fetch(url, { method: 'POST', headers, body })).status === 200)
})
