// Where a person decides, no tool call makes an item done, or changes a text. Longer with FUZZ_FACTOR; FUZZ_SEED repeats a run.
import t from 'tap'
import { agents, AGENTS } from '../../helpers/agents.js'
import { runs } from '../../helpers/fuzzing.js'
import { EXPLORATION, planLines } from '../../helpers/writing.js'
import { createRandom, mutate } from '../../helpers/random.js'

const ITEMS = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const PLAN = {
  gates: [{ id: 'gate', title: 'Review', after_group_id: 'g1', criteria: ['Read'], status: 'open' }],
  conflicts: [{ id: 'conflict', item_ids: ['a', 'b'], description: 'Which?', severity: 'low', status: 'open' }]
}
const LINES = [
  ...planLines(ITEMS.map((id) => ({ id, description: `What ${id} is`, status: id === 'f' ? 'done' : 'todo' })), [['b', 'a'], ['c', 'b']], PLAN,
    { questions: [{ id: 'q1', question: 'Of the file?', answer: null, status: 'open' }] }),
  { type: 'requirement_package', exploration_id: EXPLORATION, artifact_type: 'design', title: 'Design', markdown: 'One. Two. Three.', version: 1, updated_at: '2026-11-01T09:00:00.000Z' }
]
/** What stays, whatever agents do: all but the states of items that are not done, and what is added. What is done may be taken up again. */
const DECIDED = `select
  (select jsonb_agg(jsonb_build_array(id, group_id, title, description, acceptance, "order") order by id) from plan_items where exploration_id = $1) as items,
  (select count(*)::int from plan_items where exploration_id = $1 and status = 'done' and id <> 'f') as done,
  (select jsonb_agg(to_jsonb(d) - 'position' order by d::text) from plan_dependencies d where exploration_id = $1) as dependencies,
  (select jsonb_agg(to_jsonb(g) order by g.id) from plan_gates g where exploration_id = $1) as gates,
  (select jsonb_agg(to_jsonb(c) order by c.id) from plan_conflicts c where exploration_id = $1) as conflicts,
  (select jsonb_agg(jsonb_build_array(artifact_type, title, markdown, version) order by artifact_type) from requirement_packages where exploration_id = $1) as packages,
  (select jsonb_build_array(title, status, tags, summaries, url) from explorations where id = $1) as exploration,
  (select jsonb_agg(jsonb_build_array(question, answer, status)) from questions where exploration_id = $1 and id = 'q1') as asked,
  (select count(*)::int from questions where exploration_id = $1 and answer is not null) as answered,
  (select count(*)::int from recommendations where exploration_id = $1) as recommendations,
  (select count(*)::int from proposals where exploration_id = $1 and state in ('accepted', 'dismissed')) as decided`

t.test('nothing is decided by agents', async (t) => {
  const seed = Number(process.env['FUZZ_SEED'] ?? 2026)
  const random = createRandom(seed)
  const { use, db } = await agents(t, 'propose', LINES)
  const read = async (): Promise<unknown> => (await db.query(DECIDED, [EXPLORATION]))[0]
  const before = await read()
  const proposals: string[] = ['none']
  const texts = ['short', 'A text\nof two lines', '[done](javascript:alert(1))', '- [x] done', '', 'x'.repeat(600)] as const
  const text = (): string => random.integer(4) === 0 ? mutate(random.choose(texts), random) : random.choose(texts)
  const item = (): unknown => random.choose([...ITEMS, ...ITEMS, 'nope', text(), null] as [string, ...unknown[]])
  const evidence = (): object[] => Array.from({ length: random.integer(3) }, () =>
    ({ kind: random.choose(['commit', 'pull_request', 'test_run', 'file', 'url', 'other']), ref: text(), summary: text() }))
  const said = (): string => random.choose([text(), 'Said', 'Said otherwise'])
  const kinds = ['add_item', 'edit_item', 'move_item', 'add_dependency', 'remove_dependency', 'resolve_conflict', 'set_gate', 'edit_package',
    'add_recommendation', 'answer_question'] as const
  const change = (): object => ({
    kind: random.integer(12) === 0 ? 'complete_item' : random.choose(kinds),
    item_id: random.choose(ITEMS),
    group_id: random.choose(['g1', 'g2', 'g9']),
    title: random.choose(['A title', said()]),
    ...random.integer(3) === 0 && { description: said(), acceptance: [said()], after_item_id: item(), note: text(), evidence: evidence() },
    depends_on: random.choose(ITEMS),
    conflict_id: 'conflict',
    resolution: 'That one',
    gate_id: 'gate',
    status: random.choose(['passed', 'open', 'failed']),
    artifact_type: 'design',
    find: random.choose(['One.', 'Two', 'o']),
    replace: said(),
    body: 'A body',
    question_id: 'q1',
    answer: 'That'
  })
  const some = (fields: Record<string, unknown>): object => Object.fromEntries(Object.entries(fields)
    .filter(([name]) => ['exploration_id', 'status', 'item_id', 'changes', 'text', 'question', 'rationale'].includes(name) || random.integer(3) > 0))
  const call = (): [string, object] => {
    const common = { idempotency_key: `key ${random.integer(400)}` }
    return random.choose<[string, object]>([
      ['claim_item', some({ ...common, item_id: item(), lease_minutes: random.integer(500) })],
      ['claim_item', {}],
      ['report_progress', some({
        ...common, item_id: item(), status: random.choose(['done', 'done', 'in_progress', 'blocked', 'todo', 'accepted']), note: text(), evidence: evidence(), expected_revision: random.integer(12)
      })],
      ['report_progress', { item_id: item(), status: 'done', evidence: [{ kind: 'commit', ref: 'c0ffee' }] }],
      ['add_note', some({ ...common, item_id: item(), text: text() })],
      ['ask_question', some({ ...common, item_id: item(), question: text(), options: [text()], blocks_item: random.choose([true, false]) })],
      ['propose_change', some({ ...common, changes: Array.from({ length: 1 + random.integer(3) }, change), rationale: text(), confidence: 'high' })],
      ['propose_change', { changes: [change()], rationale: 'Why not' }],
      ['get_changes', some({ since: text(), limit: random.integer(60) })],
      [random.choose(['get_planning_full', 'get_exploration', 'get_planning_state', 'get_recommendations']), {}]
    ])
  }
  const { numRuns } = runs(600)
  const outcomes: Record<string, number> = {}
  for (let n = 0; n < numRuns; n++) {
    const [tool, args] = call()
    const { status, isError, data, body } = await use(random.integer(AGENTS), tool, args)
    if (data['proposal_id']) proposals.push(data['proposal_id'])
    const outcome = status === 200 ? body.error ? `error ${body.error.code}` : isError ? data['error'] ?? 'refused arguments' : 'done' : `status ${status}`
    outcomes[`${tool}: ${outcome}`] = (outcomes[`${tool}: ${outcome}`] ?? 0) + 1
    if (status >= 500 || body.error?.code === -32603) t.fail(`seed ${seed}, call ${n}: ${tool} ${JSON.stringify(args)} → ${JSON.stringify(body)}`)
    if (n % 25 === 0 || n === numRuns - 1) {
      const now = await read()
      if (!t.same(now, before, `seed ${seed}, up to call ${n}`)) break
    }
  }
  t.ok(proposals.length > 5 && (outcomes['claim_item: done'] ?? 0) > 5 && (outcomes['report_progress: done'] ?? 0) > 5, JSON.stringify(outcomes))
})
