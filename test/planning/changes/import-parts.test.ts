// An import keeps gates, conflicts and dependencies that were changed here, and proposes what the file says.
import { tmpdir } from 'node:os'
import t from 'tap'
import type { ProposedChange } from '../../../src/planning/changes/records.js'
import { importLines } from '../../helpers/planning-data.js'
import { EXPLORATION, planLines, writing } from '../../helpers/writing.js'

const ITEMS = ['a', 'b', 'c'].map((id) => ({ id }))
const parts = (gate: string, conflict: object = { status: 'open' }) => ({
  gates: [{ id: 'g', title: 'Reviewed', after_group_id: 'g1', criteria: ['read'], status: gate }],
  conflicts: [{ id: 'x', item_ids: ['a'], description: 'Which?', severity: 'high', ...conflict }]
})

t.test('what was changed here stays, and what the file says is proposed once', async (t) => {
  const { use, writer, db, planChanges, person } = await writing(t, planLines(ITEMS, [['b', 'a']], parts('open')))
  const make = async (...changes: ProposedChange[]) => (await planChanges.make({ user: person }, EXPLORATION, changes)).rows
  const rows = await make(
    { kind: 'set_gate', gate_id: 'g', status: 'passed' }, { kind: 'resolve_conflict', conflict_id: 'x', resolution: 'Both.' },
    { kind: 'remove_dependency', item_id: 'b', depends_on: 'a' }, { kind: 'add_dependency', item_id: 'c', depends_on: 'a' })
  const state = async () => {
    const { gates, conflicts, dependencies } = (await use(writer, 'get_planning_full')).data
    return {
      gate: gates[0].status,
      conflict: conflicts[0].resolution ?? conflicts[0].status,
      waits: dependencies.map(({ item_id: item, depends_on: on }: { item_id: string, depends_on: string }) => `${item} ${on}`)
    }
  }
  const open = async () => (await planChanges.proposals({ state: 'open', limit: 10 })).items.map(({ id, changes: [change] }) => ({ id, ...change! }))
  const ours = { gate: 'passed', conflict: 'Both.', waits: ['c a'] }
  t.same(await state(), ours)

  const again = planLines(ITEMS, [['b', 'a']], parts('failed'))
  t.equal((await importLines(db, again)).kept, 3)
  t.same(await state(), ours)
  const proposed = await open()
  t.same(new Set(proposed.map(({ kind }) => kind)), new Set(['set_gate', 'add_dependency', 'remove_dependency']))
  t.match(proposed.find(({ kind }) => kind === 'set_gate'), { gate_id: 'g', status: 'failed' })
  await importLines(db, again)
  t.equal((await open()).length, 3, 'the same is proposed once')

  t.equal((await importLines(db, planLines(ITEMS, [['c', 'a']], parts('passed', { status: 'resolved', resolution: 'Both.' })))).kept, undefined)
  t.same(await open(), [], 'the file agrees now')
  await importLines(db, planLines(ITEMS, [], parts('open')))
  t.same(await state(), { gate: 'open', conflict: 'open', waits: [] }, 'and decides from then on')

  await make({ kind: 'set_gate', gate_id: 'g', status: 'passed' }, { kind: 'add_dependency', item_id: 'c', depends_on: 'a' })
  await importLines(db, planLines(ITEMS, [['a', 'c']], parts('failed')))
  t.same((await state()).waits, ['a c'], 'a dependency that would close a circle gives way')
  for (const { id } of await open()) await planChanges.accept({ user: person }, id)
  t.same((await state()).gate, 'failed', 'what is proposed can be accepted')
  t.equal(rows.length, 4)
})

t.test('--replace takes what the file says, and a dependency that is gone is not missed', async (t) => {
  const { use, writer, db, planChanges, person } = await writing(t, planLines(ITEMS, [['b', 'a']], parts('open')))
  await planChanges.make({ user: person }, EXPLORATION, [
    { kind: 'set_gate', gate_id: 'g', status: 'passed' }, { kind: 'remove_dependency', item_id: 'b', depends_on: 'a' }])
  await importLines(db, planLines(ITEMS, [['b', 'a']], parts('open')), { spoolDir: tmpdir(), over: 'replace' })
  t.match((await use(writer, 'get_planning_full')).data, { gates: [{ status: 'open' }], dependencies: [{ item_id: 'b' }] })
  t.same((await planChanges.proposals({ limit: 10 })).items, [])
})

t.test('an import that ends a claim says so', async (t) => {
  const { use, writer, db, history } = await writing(t, planLines(ITEMS))
  for (const id of ['a', 'b', 'c']) await use(writer, 'claim_item', { item_id: id })
  await importLines(db, planLines([{ id: 'a', status: 'done' }, { id: 'b' }]))
  t.same(await db.query('select item_id from leases'), [{ item_id: 'b' }])
  const ended = (await history()).filter(({ after }) => after && 'lease' in after && after['lease'] === null)
  t.same(ended.map(({ kind, target, user }) => ({ kind, target, user })).sort((one, other) => one.target < other.target ? -1 : 1), [
    { kind: 'lease', target: 'a', user: null }, { kind: 'lease', target: 'c', user: null }])
  const heard = (await use(writer, 'get_changes')).data['changes'].filter(({ kind }: { kind: string }) => kind === 'lease_ended')
  t.same(new Set(heard.map(({ item_id: id, text }: { item_id: string, text: string }) => `${id} ${text}`)),
    new Set(['a', 'c'].map((id) => `${id} an import says that the item is done or gone`)))
})
