import t from 'tap'
import { importLines } from '../../helpers/planning-data.js'
import { tmpdir } from 'node:os'
import { EXPLORATION, planLines, writing } from '../../helpers/writing.js'

const PACKAGE = {
  type: 'requirement_package', exploration_id: EXPLORATION, artifact_type: 'design', markdown: 'One.', version: 1, updated_at: '2026-11-01T09:00:00.000Z'
}
const QUESTIONS = { questions: [{ id: 'q', question: 'Why?', answer: null, status: 'open' }] }
const EVIDENCE = [{ kind: 'commit', ref: '1' }]

t.test('an import keeps what was changed here, and proposes what the file says', async (t) => {
  const lines = [...planLines([{ id: 'a' }, { id: 'b' }], [], {}, QUESTIONS), PACKAGE]
  const { use, writer, db, planChanges, person, history } = await writing(t, lines)
  const accept = async (change: object): Promise<void> => {
    const { data } = await use(writer, 'propose_change', { changes: [change], rationale: 'so' })
    await planChanges.accept({ user: person }, data['proposal_id'])
  }
  await use(writer, 'claim_item', { item_id: 'a' })
  await use(writer, 'report_progress', { item_id: 'a', status: 'done', evidence: EVIDENCE })
  await accept({ kind: 'edit_item', item_id: 'b', title: 'Ours' })
  await accept({ kind: 'edit_package', artifact_type: 'design', find: 'One', replace: 'Two' })
  await accept({ kind: 'add_item', group_id: 'g2', title: 'Added here' })
  await planChanges.answer({ user: person }, EXPLORATION, 'q', 'Because.')
  await use(writer, 'claim_item', { item_id: 'b' })

  const again = [...planLines([{ id: 'a' }, { id: 'b', title: 'Theirs', description: 'New' }], [], {}, {
    questions: [{ id: 'q', question: 'Why?', answer: 'No.', status: 'answered' }]
  }), { ...PACKAGE, markdown: 'Three.' }]
  const summary = await importLines(db, again)
  t.equal(summary.kept, 4)
  const seen = (await use(writer, 'get_planning_full')).data['items']
  t.match(seen, [{ id: 'a', status: 'done', evidence: EVIDENCE }, { id: 'b', title: 'Ours', description: 'New', status: 'in_progress', claimed_by: { credential: 'writer' } }, { title: 'Added here' }])
  t.match((await use(writer, 'get_requirement_package', { artifact_type: 'design' })).text, /Two/)
  t.match((await use(writer, 'get_exploration')).data['questions'], [{ id: 'q', answer: 'Because.' }])
  const { items: open } = await planChanges.proposals({ state: 'open', limit: 10 })
  t.same(new Set(open.map(({ changes: [change] }) => change!.kind)), new Set(['edit_item', 'answer_question', 'edit_package']))
  t.ok(open.every(({ proposed_by: { user } }) => user === 'import'))
  t.match((await history()).at(-1), { kind: 'import', target: EXPLORATION, user: null })

  await importLines(db, again)
  t.equal((await planChanges.proposals({ state: 'open', limit: 10 })).items.length, 4, 'the same is proposed once')
  for (const { id } of open) await planChanges.accept({ user: person }, id)
  t.match((await use(writer, 'get_planning_full')).data['items'].slice(0, 2), [{ id: 'a', status: 'todo' }, { id: 'b', title: 'Theirs' }])
  t.match((await use(writer, 'get_requirement_package', { artifact_type: 'design' })).text, /Three/)
  t.match((await use(writer, 'get_exploration')).data['questions'], [{ id: 'q', answer: 'No.' }])
  t.equal((await importLines(db, again)).kept, undefined, 'nothing differs any more')
})

t.test('an item that another one was put before has the revision of before', async (t) => {
  const { use, writer, db } = await writing(t, planLines([{ id: 'a' }]))
  await importLines(db, planLines([{ id: 'new' }, { id: 'a' }]))
  t.match((await use(writer, 'get_planning_full')).data['items'], [{ id: 'new', revision: 1 }, { id: 'a', revision: 1 }])
})

t.test('--replace takes what the file says', async (t) => {
  const { use, writer, db } = await writing(t, planLines([{ id: 'a' }]))
  await use(writer, 'claim_item', { item_id: 'a' })
  await use(writer, 'report_progress', { item_id: 'a', status: 'done', evidence: EVIDENCE })
  await importLines(db, planLines([{ id: 'a' }]), { spoolDir: tmpdir(), over: 'replace' })
  t.match((await use(writer, 'get_planning_full')).data['items'], [{ id: 'a', status: 'todo' }])
})

t.test('agents hear what an import has made ready', async (t) => {
  const { use, writer, db } = await writing(t, planLines([{ id: 'a' }, { id: 'b' }], [['b', 'a']]))
  const ready = async () => (await use(writer, 'get_changes')).data['changes'].filter(({ kind }: { kind: string }) => kind === 'item_ready')
  t.same(await ready(), [])
  await importLines(db, planLines([{ id: 'a', status: 'done' }, { id: 'b' }], [['b', 'a']]))
  t.match(await ready(), [{ item_id: 'b' }])
  await importLines(db, planLines([{ id: 'a', status: 'done' }, { id: 'b' }], [['b', 'a']]))
  t.equal((await ready()).length, 1, 'once')
})

t.test('an import that moves the target of a proposal supersedes it, and completes items', async (t) => {
  const { use, writer, db, planChanges } = await writing(t, planLines([{ id: 'a' }, { id: 'b' }]), 'propose')
  await use(writer, 'propose_change', { changes: [{ kind: 'edit_item', item_id: 'b', title: 'Ours' }], rationale: 'so' })
  await use(writer, 'claim_item', { item_id: 'a' })
  await use(writer, 'report_progress', { item_id: 'a', status: 'done', evidence: EVIDENCE })
  await importLines(db, planLines([{ id: 'a', status: 'done' }, { id: 'b', title: 'Theirs' }]))
  t.same((await planChanges.proposals({ limit: 10 })).items.map(({ state }) => state), ['superseded', 'superseded'])
  t.same(await db.query('select * from leases'), [])
})

t.test('the fields of an import are shown to everyone, evidence and revision to those who write', async (t) => {
  const item = { id: 'a', acceptance: [{ text: 'it works', met: false }], repository: 'https://example.com/r', source: { path: 'tasks.md', line: 3 }, evidence: EVIDENCE, revision: 7 }
  const { use, writer, reader } = await writing(t, planLines([item]))
  const [read] = (await use(reader, 'get_planning_full')).data['items']
  const { evidence: _, revision: __, ...open } = item
  t.match(read, open)
  t.notOk('evidence' in read || 'revision' in read)
  t.match((await use(writer, 'get_planning_full')).data['items'], [item])
  t.match((await use(reader, 'get_planning_full')).text, /\[ \] "it works"\n.*repository.*\n.*from "tasks\.md:3"/)
})
