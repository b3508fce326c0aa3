// What a store of tasks promises beyond what a client sees of it: durability, leases, lifetimes and bounds.
import t from 'tap'
import { memoryTaskStore } from 'exploration-mcp/engine'
import { meets } from '../conformance/requirements.js'

const tasks = memoryTaskStore()
let last = 0
const task = (facts: object = {}) =>
  ({ id: `${++last}`, owner: 'me', ttlMs: 60_000, pollIntervalMs: 500, leaseMs: 60_000, ...facts })
const begin = async (facts: object = {}) => (await tasks.create(task(facts), 100))!

t.test('a new task is there at once, for its owner', async (t) => {
  meets('task-durable')
  const created = await begin()
  t.match(created, { status: 'working', message: null, ttlMs: 60_000, pollIntervalMs: 500, inputRequests: {}, result: null, error: null })
  t.match(created.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.strictSame(await tasks.get(created.id, 'me'), created)
  for (const [id, who] of [[created.id, 'you'], ['none', 'me']] as const) {
    t.same([await tasks.get(id, who), await tasks.answer(id, who, {}), await tasks.cancel(id, who)], [undefined, false, false])
  }
})

t.test('the first answer stays, a stray one is left out, and an end is final', async (t) => {
  const { id } = await begin()
  await tasks.ask(id, { a: { method: 'x' }, b: { method: 'y' } })
  await tasks.answer(id, 'me', { a: 1, c: 2 })
  await tasks.answer(id, 'me', { a: 3 })
  await tasks.cancel(id, 'me')
  t.strictSame(await tasks.renewLease(id, 60_000), { responses: { a: 1 }, cancelled: true })
  await tasks.end(id, { status: 'failed', error: { code: -32603 }, message: 'broke' })
  const ended = await tasks.get(id, 'me')
  t.match(ended, { status: 'failed', message: 'broke', inputRequests: {} })
  await tasks.end(id, { status: 'completed', result: { other: true } })
  await tasks.ask(id, { more: {} })
  t.equal(await tasks.cancel(id, 'me'), true, 'asking again is no error')
  t.strictSame(await tasks.get(id, 'me'), ended)
  t.equal(await tasks.renewLease(id, 60_000), undefined)
})

t.test('a task whose worker is gone has failed, a sign of life keeps it, and its time ends', async (t) => {
  const lost = await begin({ leaseMs: -1 })
  t.match(await tasks.get(lost.id, 'me'), { status: 'failed', error: { code: -32603 } })
  const kept = await begin({ leaseMs: -1 })
  await tasks.renewLease(kept.id, 60_000)
  t.match(await tasks.get(kept.id, 'me'), { status: 'working' })
  const old = await begin({ ttlMs: -1 })
  t.same([await tasks.get(old.id, 'me'), await tasks.renewLease(old.id, 60_000)], [undefined, undefined])
})

t.test('no more than so many under way', async (t) => {
  const first = await tasks.create(task({ owner: 'busy' }), 2)
  await tasks.create(task({ owner: 'busy' }), 2)
  t.equal(await tasks.create(task({ owner: 'busy' }), 2), undefined)
  await tasks.end(first!.id, { status: 'cancelled' })
  t.ok(await tasks.create(task({ owner: 'busy' }), 2))
})
