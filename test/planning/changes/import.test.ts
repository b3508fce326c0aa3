// An import keeps what was changed here, and proposes what the file says; agents hear what it has moved.
import { tmpdir } from 'node:os'
import t from 'tap'
import type { ProposedChange } from '../../../src/planning/changes/records.js'
import { importLines } from '../../helpers/planning-data.js'
import { EXPLORATION, planLines, writing } from '../../helpers/writing.js'

const PACKAGE = {
  type: 'requirement_package', exploration_id: EXPLORATION, artifact_type: 'design', markdown: 'One.', version: 1, updated_at: '2026-11-01T09:00:00.000Z'
}
const EVIDENCE = [{ kind: 'commit', ref: '1' }]
const ITEMS = ['a', 'b', 'c'].map((id) => ({ id }))
const parts = (gate: string, conflict: object = { status: 'open' }) => ({
  gates: [{ id: 'g', title: 'Reviewed', after_group_id: 'g1', criteria: ['read'], status: gate }],
  conflicts: [{ id: 'x', item_ids: ['a'], description: 'Which?', severity: 'high', ...conflict }]
})
const question = (answer: string | null) => ({ questions: [{ id: 'q', question: 'Why?', answer, status: answer === null ? 'open' : 'answered' }] })
const { use, writer, reader, db, planChanges, person, history, renew } = await writing(t)
const finish = async (item: string): Promise<void> => {
  await use(writer, 'claim_item', { item_id: item })
  await use(writer, 'report_progress', { item_id: item, status: 'done', evidence: EVIDENCE })
}
const make = (changes: ProposedChange[], revision?: number) => planChanges.make({ user: person }, EXPLORATION, changes, revision)
const openOf = async () => (await planChanges.proposals({ state: 'open', limit: 10 })).items

t.test('texts that were changed here', async (t) => {
  await renew([...planLines([{ id: 'a' }, { id: 'b' }], [], {}, question(null)), PACKAGE])
  await finish('a')
  await make([{ kind: 'edit_item', item_id: 'b', title: 'Ours' }], 1)
  await make([{ kind: 'edit_package', artifact_type: 'design', find: 'One', replace: 'Two' }, { kind: 'add_item', group_id: 'g2', title: 'Added here' }], 1)
  await planChanges.answer({ user: person }, EXPLORATION, 'q', 'Because.')
  await use(writer, 'claim_item', { item_id: 'b' })

  const again = [...planLines([{ id: 'a' }, { id: 'b', title: 'Theirs', description: 'New' }], [], {}, question('No.')), { ...PACKAGE, markdown: 'Three.' }]
  t.equal((await importLines(db, again)).kept, 4)
  t.match((await use(writer, 'get_planning_full')).data['items'], [
    { id: 'a', status: 'done', evidence: EVIDENCE },
    { id: 'b', title: 'Ours', description: 'New', status: 'in_progress', claimed_by: { credential: 'writer' } }, { title: 'Added here' }
  ])
  t.match((await use(writer, 'get_requirement_package', { artifact_type: 'design' })).text, /Two/)
  t.match((await use(writer, 'get_exploration')).data['questions'], [{ id: 'q', answer: 'Because.' }])
  const open = await openOf()
  t.same(new Set(open.map(({ changes: [change] }) => change!.kind)), new Set(['edit_item', 'answer_question', 'edit_package']))
  t.ok(open.every(({ proposed_by: { user } }) => user === 'import'))
  t.match((await history()).at(-1), { kind: 'import', target: EXPLORATION, user: null })

  await importLines(db, again)
  t.equal((await openOf()).length, 4, 'the same is proposed once')
  for (const { id } of open) await planChanges.accept({ user: person }, id)
  t.match((await use(writer, 'get_planning_full')).data['items'].slice(0, 2), [{ id: 'a', status: 'todo' }, { id: 'b', title: 'Theirs' }])
  t.match((await use(writer, 'get_requirement_package', { artifact_type: 'design' })).text, /Three/)
  t.match((await use(writer, 'get_exploration')).data['questions'], [{ id: 'q', answer: 'No.' }])
  t.equal((await importLines(db, again)).kept, undefined, 'nothing differs any more')
})

t.test('gates, conflicts and dependencies that were changed here', async (t) => {
  await renew(planLines(ITEMS, [['b', 'a']], parts('open')))
  const state = async () => {
    const { gates, conflicts, dependencies } = (await use(writer, 'get_planning_full')).data
    return {
      gate: gates[0].status,
      conflict: conflicts[0].resolution ?? conflicts[0].status,
      waits: dependencies.map(({ item_id: item, depends_on: on }: { item_id: string, depends_on: string }) => `${item} ${on}`)
    }
  }
  await make([{ kind: 'set_gate', gate_id: 'g', status: 'passed' }, { kind: 'resolve_conflict', conflict_id: 'x', resolution: 'Both.' },
    { kind: 'remove_dependency', item_id: 'b', depends_on: 'a' }, { kind: 'add_dependency', item_id: 'c', depends_on: 'a' }])
  const ours = { gate: 'passed', conflict: 'Both.', waits: ['c a'] }
  t.same(await state(), ours)
  const again = planLines(ITEMS, [['b', 'a']], parts('failed'))
  t.equal((await importLines(db, again)).kept, 3)
  t.same(await state(), ours)
  const proposed = (await openOf()).map(({ changes: [change] }) => change!)
  t.same(new Set(proposed.map(({ kind }) => kind)), new Set(['set_gate', 'add_dependency', 'remove_dependency']))
  t.match(proposed.find(({ kind }) => kind === 'set_gate'), { gate_id: 'g', status: 'failed' })
  await importLines(db, again)
  t.equal((await openOf()).length, 3, 'the same is proposed once')

  t.equal((await importLines(db, planLines(ITEMS, [['c', 'a']], parts('passed', { status: 'resolved', resolution: 'Both.' })))).kept, undefined)
  t.same(await openOf(), [], 'the file agrees now')
  await importLines(db, planLines(ITEMS, [], parts('open')))
  t.same(await state(), { gate: 'open', conflict: 'open', waits: [] }, 'and decides from then on')

  await make([{ kind: 'set_gate', gate_id: 'g', status: 'passed' }, { kind: 'add_dependency', item_id: 'c', depends_on: 'a' }])
  await importLines(db, planLines(ITEMS, [['a', 'c']], parts('failed')))
  t.same((await state()).waits, ['a c'], 'a dependency that would close a circle gives way')
  for (const { id } of await openOf()) await planChanges.accept({ user: person }, id)
  t.same((await state()).gate, 'failed', 'what is proposed can be accepted')
})

t.test('--replace takes what the file says', async (t) => {
  const lines = planLines([{ id: 'a' }, { id: 'b' }], [['b', 'a']], parts('open'))
  await renew(lines)
  await finish('a')
  await make([{ kind: 'set_gate', gate_id: 'g', status: 'passed' }, { kind: 'remove_dependency', item_id: 'b', depends_on: 'a' }])
  await importLines(db, lines, { spoolDir: tmpdir(), over: 'replace' })
  t.match((await use(writer, 'get_planning_full')).data, { items: [{ id: 'a', status: 'todo' }], gates: [{ status: 'open' }], dependencies: [{ item_id: 'b' }] })
  t.same((await planChanges.proposals({ limit: 10 })).items, [])
})

t.test('what an import moves: claims end, items are ready, proposals are superseded, revisions stay', async (t) => {
  await renew(planLines([...ITEMS, { id: 'd' }], [['d', 'a']]), 'propose')
  const heard = async (kind: string) => (await use(writer, 'get_changes')).data['changes'].filter((change: { kind: string }) => change.kind === kind)
  await use(writer, 'propose_change', { changes: [{ kind: 'edit_item', item_id: 'b', title: 'Ours' }], rationale: 'so' })
  for (const id of ['b', 'c']) await use(writer, 'claim_item', { item_id: id })
  await finish('a')
  t.same(await heard('item_ready'), [])
  const again = planLines([{ id: 'new' }, { id: 'a', status: 'done' }, { id: 'b', title: 'Theirs' }, { id: 'd' }], [['d', 'a']])
  await importLines(db, again)
  await importLines(db, again)
  t.same((await planChanges.proposals({ limit: 10 })).items.map(({ state }) => state), ['superseded', 'superseded'])
  t.match(await heard('item_ready'), [{ item_id: 'd' }], 'once')
  t.match((await use(writer, 'get_planning_full')).data['items'].at(-1), { id: 'd', revision: 1 }, 'an item that another one was put before')
  t.same(await db.query('select item_id from leases'), [{ item_id: 'b' }])
  const ended = (await history()).filter(({ after }) => after && 'lease' in after && after['lease'] === null)
  t.match(ended.map(({ kind, target, user }) => ({ kind, target, user })).find(({ target }) => target === 'c'), { kind: 'lease', user: null })
  t.match(await heard('lease_ended'), [{ item_id: 'c', text: 'an import says that the item is done or gone' }])
})

t.test('the fields of an import are shown to everyone, evidence and revision to those who write', async (t) => {
  const item = { id: 'a', acceptance: [{ text: 'it works', met: false }], repository: 'https://example.com/r', source: { path: 'tasks.md', line: 3 }, evidence: EVIDENCE, revision: 7 }
  await renew(planLines([item]))
  const [read] = (await use(reader, 'get_planning_full')).data['items']
  const { evidence: _, revision: __, ...open } = item
  t.match(read, open)
  t.notOk('evidence' in read || 'revision' in read)
  t.match((await use(writer, 'get_planning_full')).data['items'], [item])
  t.match((await use(reader, 'get_planning_full')).text, /\[ \] "it works"\n.*repository.*\n.*from "tasks\.md:3"/)
})
