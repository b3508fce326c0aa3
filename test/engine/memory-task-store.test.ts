// What a store of tasks promises.
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import type { TaskStore } from '../../src/engine/tasks/task-store.js'
import { memoryTaskStore } from '../../src/engine/tasks/memory-task-store.js'
import { meets } from '../conformance/requirements.js'

const promises = (name: string, open: (t: Test) => Promise<TaskStore>) => t.test(name, async (t) => {
  const tasks = await open(t)
  const owner = randomUUID()
  const task = (facts: object = {}) => ({
    id: randomUUID(),
    owner,
    ttlMs: 60_000,
    pollIntervalMs: 500,
    leaseMs: 60_000,
    ...facts
  })
  const begin = async (facts: object = {}, most = 100) => (await tasks.create(task(facts), most))!

  await t.test('a new task is there at once, for its owner', async (t) => {
    meets('task-durable')
    const created = await begin()
    t.match(created, {
      status: 'working',
      message: null,
      ttlMs: 60_000,
      pollIntervalMs: 500,
      inputRequests: {},
      result: null,
      error: null
    })
    t.match(created.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    t.strictSame(await tasks.get(created.id, owner), created)
    for (const [id, who] of [[created.id, randomUUID()], [created.id, 'nobody'], ['none', owner]] as const) {
      t.equal(await tasks.get(id, who), undefined)
      t.equal(await tasks.answer(id, who, {}), false)
      t.equal(await tasks.cancel(id, who), false)
    }
  })

  await t.test('asked, answered in part, answered', async (t) => {
    const { id } = await begin()
    await tasks.note(id, 'half')
    await tasks.ask(id, { a: { method: 'x' }, b: { method: 'y' } })
    t.match(await tasks.get(id, owner), {
      status: 'input_required', message: 'half', inputRequests: { a: { method: 'x' }, b: { method: 'y' } }
    })
    t.equal(await tasks.answer(id, owner, { a: 1, c: 2 }), true)
    t.match(await tasks.get(id, owner), { status: 'input_required', inputRequests: { b: {} } })
    t.equal(await tasks.answer(id, owner, { a: 3 }), true, 'acknowledged')
    t.strictSame(
      await tasks.renewLease(id, 60_000),
      { responses: { a: 1 }, cancelled: false },
      'the first answer stays, a stray one is left out'
    )
    await tasks.answer(id, owner, { b: { action: 'decline' } })
    t.match(await tasks.get(id, owner), { status: 'working', inputRequests: {} })
    t.strictSame(await tasks.renewLease(id, 60_000), {
      responses: { a: 1, b: { action: 'decline' } }, cancelled: false
    })
  })

  await t.test('an end is final', async (t) => {
    for (const end of [
      { status: 'completed', result: { content: [] } }, { status: 'failed', error: { code: -32603 }, message: 'broke' }, { status: 'cancelled' }
    ] as const) {
      const { id } = await begin()
      await tasks.end(id, end)
      const { message, ...ended } = (await tasks.get(id, owner))!
      t.match(ended, 'message' in end ? { status: 'failed', error: end.error } : end)
      await tasks.end(id, { status: 'completed', result: { other: true } })
      await tasks.ask(id, { more: {} })
      await tasks.note(id, 'more')
      t.equal(await tasks.cancel(id, owner), true, 'asking again is no error')
      t.match(await tasks.get(id, owner), { ...ended, message })
      t.equal(await tasks.renewLease(id, 60_000), undefined)
    }
  })

  await t.test('its worker is told to end', async (t) => {
    const { id } = await begin()
    t.equal(await tasks.cancel(id, owner), true)
    t.match(await tasks.renewLease(id, 60_000), { cancelled: true })
    t.match(await tasks.get(id, owner), { status: 'working' }, 'which is for it to do')
  })

  await t.test('a task whose worker is gone has failed', async (t) => {
    const { id } = await begin({ leaseMs: -1 })
    t.match(await tasks.get(id, owner), { status: 'failed', error: { code: -32603 } })
    const kept = await begin({ leaseMs: -1 })
    await tasks.renewLease(kept.id, 60_000)
    t.match(await tasks.get(kept.id, owner), { status: 'working' }, 'a sign of life keeps it')
  })

  await t.test('its time', async (t) => {
    const { id } = await begin({ ttlMs: -1 })
    t.equal(await tasks.get(id, owner), undefined)
    t.equal(await tasks.renewLease(id, 60_000), undefined)
  })

  await t.test('no more than so many under way', async (t) => {
    const other = randomUUID()
    const first = await tasks.create(task({ owner: other }), 2)
    await tasks.create(task({ owner: other }), 2)
    t.equal(await tasks.create(task({ owner: other }), 2), undefined)
    await tasks.end(first!.id, { status: 'cancelled' })
    t.ok(await tasks.create(task({ owner: other }), 2))
  })
})

promises('in memory', async () => memoryTaskStore())
