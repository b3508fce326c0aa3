// What agents ask and propose, what people decide about it, and how all of it is undone.
import t from 'tap'
import { importLines } from '../../helpers/planning-data.js'
import { EXPLORATION, planLines, writing } from '../../helpers/writing.js'

const PACKAGE = {
  type: 'requirement_package', exploration_id: EXPLORATION, artifact_type: 'design', title: 'Design', markdown: 'One. Two. One more.', version: 1, updated_at: '2026-11-01T09:00:00.000Z'
}
const PLAN = {
  gates: [{ id: 'gate', title: 'Review', after_group_id: 'g1', criteria: [], status: 'open' }],
  conflicts: [{ id: 'c', item_ids: ['a'], description: 'Which?', severity: 'low', status: 'open' }]
}
const LINES = [...planLines([{ id: 'a' }, { id: 'b' }, { id: 'c', group_id: 'g2' }], [['b', 'a']], PLAN), PACKAGE]

const { use, writer, other, reader, people, person, planChanges, db, keyFor, renew } = await writing(t)

/** What a reader sees of the exploration, but for versions and times. */
const everything = async (): Promise<unknown> => {
  const parts = await Promise.all([use(writer, 'get_planning_full'), use(writer, 'get_exploration'), use(writer, 'get_recommendations'),
    use(writer, 'get_requirement_package', { artifact_type: 'design' })])
  return JSON.parse(JSON.stringify(parts.map(({ data }) => data)), (key, value: unknown) =>
    /^(?:revision|version|updated_at|.*_version|artifacts|plan)$/.test(key) ? undefined : value)
}

t.test('a note is added, and shown to those who write', async (t) => {
  await renew(LINES, 'propose')
  const { data } = await use(writer, 'add_note', { item_id: 'a', text: 'A <b>note</b>\nof two lines' })
  t.match(data, { note_id: /-/ })
  t.match((await use(writer, 'get_planning_full')).data['items'][0].notes, [{ id: data['note_id'], by: 'ada@example.com' }])
  t.notMatch((await use(reader, 'get_planning_full')).text, /note/)
  t.match((await use(writer, 'add_note', { text: 'about all of it' })).data, { note_id: /-/ })
  t.match((await use(writer, 'add_note', { item_id: 'nope', text: 'x' })).data, { error: 'unknown_item' })
})

t.test('a question blocks its item until a person answers it', async (t) => {
  await renew(LINES, 'propose')
  await use(writer, 'claim_item', { item_id: 'a' })
  const asked = { item_id: 'a', question: 'Which one?', options: ['this', 'that'], blocks_item: true }
  const { data: { question_id: id } } = await use(writer, 'ask_question', asked)
  t.equal((await use(writer, 'ask_question', asked)).data['question_id'], id, 'the same one is not asked twice')
  t.match((await use(reader, 'get_exploration')).data['questions'], [{ id, question: 'Which one?', options: ['this', 'that'], answer: null, status: 'open' }])
  t.match((await use(writer, 'get_planning_full')).data['items'][0], { status: 'blocked', revision: 2 })
  t.match((await use(writer, 'get_exploration')).data['questions'], [{ id, item_id: 'a', asked_by: 'ada@example.com' }])
  t.notMatch(JSON.stringify((await use(reader, 'get_exploration')).body), /asked_by|item_id/)
  await use(writer, 'report_progress', { item_id: 'a', status: 'blocked', note: 'I wait for the answer.' })
  const { data: { next_cursor: since } } = await use(writer, 'get_changes')

  await planChanges.answer({ user: person }, EXPLORATION, id, 'that')
  t.match((await use(reader, 'get_exploration')).data['questions'], [{ id, answer: 'that', status: 'answered' }])
  t.match((await use(writer, 'get_planning_full')).data['items'][0], { status: 'in_progress' })
  const { data } = await use(writer, 'get_changes', { since })
  t.match(data['changes'], [{ kind: 'answered', question_id: id, item_id: 'a', by: 'ada@example.com', text: 'that' }, { kind: 'item_changed', item_id: 'a' }])
  t.same((await use(writer, 'get_changes', { since: data['next_cursor'] })).data['changes'], [])
  t.match((await use(writer, 'get_changes', { since, limit: 1 })).data['changes'], [{ kind: 'answered' }])
  const { data: { next_cursor: second } } = await use(writer, 'get_changes', { since, limit: 1 })
  t.match((await use(writer, 'get_changes', { since: second })).data['changes'], [{ kind: 'item_changed' }])

  await importLines(db, planLines([{ id: 'a' }], [], {}, { questions: [{ id: 'q1', question: 'Of the file?', answer: null, status: 'open' }] }))
  t.match((await use(reader, 'get_exploration')).data['questions'], [{ id: 'q1' }, { id }], 'what was asked here stays after an import')
})

t.test('two answers to a question are undone, the last one first', async (t) => {
  await renew(LINES, 'propose')
  const { data: { question_id: id } } = await use(writer, 'ask_question', { item_id: 'a', question: 'Which one?', blocks_item: true })
  const seen = async () => {
    const [question] = (await use(writer, 'get_exploration')).data['questions']
    return [question.answer, (await use(writer, 'get_planning_full')).data['items'][0].status]
  }
  const changed = async (answer: string) => (await planChanges.make({ user: person }, EXPLORATION, [{ kind: 'answer_question', question_id: id, answer }])).rows
  for (let n = 0; n < 2; n++) {
    const { rows: first } = await planChanges.answer({ user: person }, EXPLORATION, id, 'A')
    const second = (await changed('B')).map((row) => row.id)
    t.same(await seen(), ['B', 'todo'])
    for (const row of second.reverse()) await planChanges.undo({ user: person }, row)
    t.same(await seen(), ['A', 'todo'])
    for (const row of [...first].reverse()) await planChanges.undo({ user: person }, row)
    t.same(await seen(), [null, 'blocked'])
  }
})

t.test('each kind of change is proposed, accepted, and undone', async (t) => {
  await renew(LINES, 'propose')
  const { data: { question_id: question } } = await use(writer, 'ask_question', { question: 'Why?' })
  const before = await everything()
  const changes = [
    { kind: 'add_item', group_id: 'g1', title: 'New', after_item_id: 'a', acceptance: [{ text: 'it is there' }] },
    { kind: 'edit_item', item_id: 'a', title: 'Better' },
    { kind: 'move_item', item_id: 'c', group_id: 'g1' },
    { kind: 'add_dependency', item_id: 'c', depends_on: 'b' },
    { kind: 'remove_dependency', item_id: 'b', depends_on: 'a' },
    { kind: 'resolve_conflict', conflict_id: 'c', resolution: 'This one.' },
    { kind: 'set_gate', gate_id: 'gate', status: 'passed' },
    { kind: 'edit_package', artifact_type: 'design', find: 'Two', replace: '$& 2' },
    { kind: 'add_recommendation', title: 'Do it', body: 'Now.' },
    { kind: 'answer_question', question_id: question, answer: 'Because.' }
  ]
  const proposed = await use(writer, 'propose_change', { changes, rationale: 'It is better.', confidence: 'high' })
  t.match(proposed.data, { proposal_id: /-/, state: 'open' }, proposed.text)
  t.same(await everything(), before, 'nothing has changed yet')
  const id = proposed.data['proposal_id']

  const accepted = await planChanges.accept({ user: person }, id)
  t.match(accepted, { state: 'accepted', decided_by: 'ada@example.com', proposed_by: { credential: 'writer' }, changes: [{ item_id: /^i-/ }] })
  const after = await everything()
  t.match(JSON.stringify(after), /"title":"New".*"title":"Better"|"title":"Better".*"title":"New"/)
  t.match((await use(writer, 'get_requirement_package', { artifact_type: 'design' })).text, /One\. \$& 2\. One more\./)
  t.same((await use(writer, 'get_planning_full')).data['items'].map(({ id: item }: { id: string }) => item), ['a', accepted.changes[0]!['item_id'], 'b', 'c'])
  t.match((await use(writer, 'get_changes')).data['changes'].at(-1), { kind: 'proposal_accepted', proposal_id: id })
  await t.rejects(planChanges.accept({ user: person }, id), /accepted already/)

  const rows = (await planChanges.history(EXPLORATION, { limit: 100 })).items
  t.equal(rows.length, 1 + 1 + 1 + 1 + changes.length, 'the import, the question, the proposal, its decision and a row for each change')
  const ofChanges = rows.filter(({ target: { kind }, user, tool }) => kind !== 'proposal' && kind !== 'import' && user === person.email && tool === undefined)
  t.equal(ofChanges.length, changes.length)
  const undone: string[] = []
  for (const { id: row } of ofChanges) undone.push((await planChanges.undo({ user: person }, row)).id)
  t.same(await everything(), before)
  t.match((await planChanges.history(EXPLORATION, { limit: 1 })).items, [{ undoes: ofChanges.at(-1)!.id }])
  for (const row of undone.reverse()) await planChanges.undo({ user: person }, row)
  t.same(await everything(), after, 'an undo of an undo does it again')
  await t.rejects(db.query('delete from history'), /append-only/)
  await t.rejects(db.query('update history set tool = $1', ['x']), /append-only/)
})

t.test('a proposal is refused when it cannot be made', async (t) => {
  await renew(LINES, 'propose')
  const propose = async (...changes: object[]) => await use(writer, 'propose_change', { changes, rationale: 'so' })
  t.match((await propose({ kind: 'add_dependency', item_id: 'a', depends_on: 'b' })).data, { error: 'cycle' })
  t.match((await propose({ kind: 'edit_package', artifact_type: 'design', find: 'One', replace: 'x' })).data, { error: 'text_not_unique' })
  t.match((await propose({ kind: 'edit_package', artifact_type: 'design', find: 'None', replace: 'x' })).data, { error: 'text_not_unique' })
  t.match((await propose({ kind: 'edit_item', item_id: 'nope', title: 'x' })).data, { error: 'unknown_item' })
  t.match(await propose({ kind: 'edit_item', item_id: 'a' }), { isError: true, text: /needs one of title/ })
  t.match(await propose({ kind: 'set_gate', gate_id: 'gate' }), { isError: true, text: /needs status/ })
  t.match(await propose({ kind: 'set_gate', gate_id: 'gate', status: 'open' }), { isError: true, text: /so already/ })
  t.match(await propose({ kind: 'complete_item', item_id: 'a' }), { isError: true })
})

t.test('a proposal whose target moves is superseded in that transaction', async (t) => {
  await renew(LINES, 'propose')
  const propose = async (...changes: object[]): Promise<string> => (await use(writer, 'propose_change', { changes, rationale: 'so' })).data['proposal_id']
  const one = await propose({ kind: 'edit_item', item_id: 'a', title: 'One' })
  const two = await propose({ kind: 'edit_item', item_id: 'a', title: 'Two' })
  const text = await propose({ kind: 'edit_item', item_id: 'a', description: 'Text' })
  await planChanges.accept({ user: person }, one)
  t.same((await planChanges.proposals({ limit: 10 })).items.map(({ id, state }) => [id, state]), [[text, 'open'], [two, 'superseded'], [one, 'accepted']])
  t.match((await use(other, 'get_changes')).data['changes'].map(({ kind }: { kind: string }) => kind), ['item_changed', 'proposal_accepted', 'proposal_superseded'])
  t.match(await planChanges.dismiss({ user: person }, text, 'Too long.'), { state: 'dismissed', reason: 'Too long.', decided_by: person.email })
})

t.test('what is finished waits: accepted it is done, dismissed it is claimable again', async (t) => {
  await renew(LINES, 'propose')
  const finish = async (key: string): Promise<string> => {
    await use(key, 'claim_item', { item_id: 'a' })
    return (await use(key, 'report_progress', { item_id: 'a', status: 'done', note: 'Ready.', evidence: [{ kind: 'url', ref: 'https://example.com' }] })).data['proposal_id']
  }
  await planChanges.dismiss({ user: person }, await finish(writer), 'A test is missing.')
  const [item] = (await use(writer, 'get_planning_full')).data['items']
  t.match(item, { status: 'in_progress', notes: [{ text: 'A test is missing.' }] })
  t.notOk('finished' in item)
  await use(writer, 'claim_item', { item_id: 'c' })
  t.match((await use(other, 'claim_item')).data, { claimed: true, item: { id: 'a' } })
  await planChanges.accept({ user: person }, await finish(other))
  t.match((await use(writer, 'get_planning_full')).data['items'][0], { status: 'done', evidence: [{ ref: 'https://example.com' }], notes: [{ text: 'Ready.' }, { text: 'A test is missing.' }] })
  t.match((await use(writer, 'get_changes')).data['changes'].slice(-3), [{ kind: 'item_changed', text: 'in_progress → done' }, { kind: 'item_ready', item_id: 'b' }, { kind: 'proposal_accepted' }])
})

t.test('claims and reports are undone; what was overwritten names the later row', async (t) => {
  await renew(LINES)
  const before = await everything()
  await use(writer, 'claim_item', { item_id: 'a' })
  const claimed = await everything()
  await use(writer, 'report_progress', { item_id: 'a', status: 'done', note: 'n', evidence: [{ kind: 'file', ref: 'x' }] })
  const [report, claim] = (await planChanges.history(EXPLORATION, { limit: 2 })).items
  await t.rejects(planChanges.undo({ user: person }, claim!.id), new RegExp(`overwritten by the row ${report!.id}`))
  await planChanges.undo({ user: person }, report!.id)
  t.same(await everything(), claimed)
  await planChanges.undo({ user: person }, claim!.id)
  t.same(await everything(), before)
  t.same(await db.query('select * from leases'), [])

  const viewer = await people.createUser({ email: 'vera@example.com', name: 'Vera', kind: 'person' } as never)
  await db.query("insert into memberships (user_id, workspace_id, role) select $1, workspace_id, 'viewer' from explorations where id = $2", [(viewer as { id: string }).id, EXPLORATION])
  await t.rejects(planChanges.undo({ user: viewer as never }, report!.id), /viewer/)
  t.equal((await use((await keyFor('read_write', 'v', (viewer as { id: string }).id)).key, 'claim_item')).status, 403)
})

t.test('what has lapsed is tidied up', async (t) => {
  await renew(LINES)
  await use(writer, 'claim_item', { item_id: 'a', idempotency_key: 'k' })
  await db.query("update leases set until = now() - interval '1 second'")
  await db.query("update idempotency_keys set at = now() - interval '8 days'")
  await planChanges.tidy()
  t.match((await use(writer, 'get_changes')).data['changes'], [{ kind: 'lease_ended', item_id: 'a' }])
  t.same(await db.query('select * from idempotency_keys'), [])
  t.match((await use(writer, 'report_progress', { item_id: 'a', status: 'in_progress' })).data, { written: true })
})

t.test('a text that is cut keeps its characters whole', async (t) => {
  await renew(LINES, 'propose')
  const long = `${'x'.repeat(299)}\u{1F600} and more`
  const { data: { question_id: question } } = await use(writer, 'ask_question', { question: 'Why?' })
  const { data: { proposal_id: proposal } } = await use(writer, 'propose_change', { changes: [{ kind: 'edit_item', item_id: 'a', title: 'Other' }], rationale: 'Better' })
  t.match(await planChanges.answer({ user: person }, EXPLORATION, question, long), { answer: long })
  t.match(await planChanges.dismiss({ user: person }, proposal, long), { state: 'dismissed', reason: long })
  const { data } = await use(writer, 'get_changes')
  t.same(data['changes'].filter(({ text }: { text?: string }) => text?.startsWith('xx')).map(({ kind, text }: Record<string, string>) => [kind, text]),
    ['answered', 'proposal_dismissed'].map((kind) => [kind, 'x'.repeat(299)]))
})
