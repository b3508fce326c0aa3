// Agents at once: nothing is held by two, nothing is done twice, and a write is there as a whole or not at all.
// More of it with FUZZ_FACTOR, on three replicas with TEST_DATABASE_URL.
import t from 'tap'
import { AGENTS, agents, ITEMS } from '../../helpers/agents.js'
import { runs, some } from '../../helpers/fuzzing.js'
import { EXPLORATION, planLines } from '../../helpers/writing.js'

const everyAgent = Array.from({ length: AGENTS }, (_, agent) => agent)

/** Where a transaction fails: at one of its statements, or when all of it is committed. */
let at: number | 'committed' | undefined
const failAt = (statement: typeof at): void => { at = statement }
const { use, db, reset } = await agents(t, 'report', planLines(ITEMS.map((id) => ({ id }))), (real) => ({
  ...real,
  transaction: async (work) => {
    let count = 0
    const outcome = await real.transaction((tx) => work({
      ...tx,
      query: async (text, values, options) => {
        if (++count === at) throw new Error('the process ends here')
        return await tx.query(text, values, options)
      }
    }))
    if (at === 'committed') throw new Error('the reply is lost')
    return outcome
  }
}))

t.test('ten agents claim forty items: each is held once', async (t) => {
  const claimAll = async (agent: number): Promise<string[]> => {
    const held: string[] = []
    for (;;) {
      const { data } = await use(agent, 'claim_item')
      if (data['claimed'] !== true) return data['reason'] === 'nothing_ready' ? held : [`refused: ${JSON.stringify(data)}`]
      held.push(data['item'].id)
    }
  }
  const wrong: string[][] = []
  const { numRuns } = runs(4)
  for (let run = 0; run < numRuns; run++) {
    const held = (await Promise.all(everyAgent.map(claimAll))).flat().sort()
    if (held.join() !== [...ITEMS].sort().join()) wrong.push(held)
    await reset()
  }
  t.same(wrong, [], `of ${numRuns} runs`)
})

t.test('reports that come several times at once are written once', async (t) => {
  await reset()
  for (const agent of everyAgent) await use(agent, 'claim_item', { item_id: ITEMS[agent] })
  const report = async (agent: number): Promise<string> => JSON.stringify((await use(agent, 'report_progress', {
    item_id: ITEMS[agent], status: 'in_progress', note: `note ${agent}`, idempotency_key: 'key'
  })).data)
  const answers = await Promise.all(Array.from({ length: 5 * AGENTS }, (_, n) => report(n % AGENTS)))
  t.equal(new Set(answers).size, AGENTS, 'the same call has the same answer')
  t.ok(answers.every((answer) => answer.startsWith('{"written":true')))
  t.same(await db.query(`select (select count(*)::int from notes) as notes, (select count(*)::int from history where kind = 'item') as history,
    (select count(*)::int from audit_events where action = 'tools/call report_progress') as audit`), [{ notes: AGENTS, history: AGENTS, audit: 5 * AGENTS }])
})

t.test('ended at any statement, a write leaves nothing; sent again, it is done once', async (t) => {
  await reset()
  const kept = async () => (await db.query(`select (select count(*)::int from history) as history, (select count(*)::int from notes) as notes,
    (select count(*)::int from leases) as leases, (select count(*)::int from proposals) as proposals,
    (select count(*)::int from questions where exploration_id = '${EXPLORATION}') as questions, (select count(*)::int from idempotency_keys) as keys,
    (select sum(revision)::int from plan_items where exploration_id = '${EXPLORATION}') as revisions,
    (select count(*)::int from audit_events where outcome = 'ok' and action = any(array['tools/call claim_item', 'tools/call report_progress',
      'tools/call add_note', 'tools/call ask_question', 'tools/call propose_change'])) as audit`))[0]
  const writes: Array<[string, object]> = [
    ['claim_item', { item_id: 'item-1' }],
    ['report_progress', { item_id: 'item-1', status: 'done', note: 'Done.', evidence: [{ kind: 'commit', ref: 'c0ffee' }] }],
    ['add_note', { item_id: 'item-2', text: 'A note' }],
    ['ask_question', { item_id: 'item-2', question: 'Which one?', blocks_item: true }],
    ['propose_change', { changes: [{ kind: 'edit_item', item_id: 'item-3', title: 'Other' }], rationale: 'Better.' }]
  ]
  for (const [tool, args] of writes) {
    const call = { ...args, idempotency_key: tool }
    const before = await kept()
    let refusals = 0
    for (const statement of [...some(Array.from({ length: 60 }, (_, n) => n + 1)), undefined]) {
      failAt(statement)
      const { status, isError, body } = await use(0, tool, call)
      failAt(undefined)
      if (status === 200 && !isError && body.error === undefined) break
      t.not(statement, undefined, `${tool} is done at last`)
      t.same(await kept(), before, `${tool}, statement ${statement}`)
      refusals++
    }
    t.ok(refusals > 0, `${tool} has statements`)
    const after = await kept()
    failAt('committed')
    const again = { ...call, idempotency_key: `${tool} again`, ...tool === 'add_note' && { text: 'Another note' } }
    const lost = await use(0, tool, again)
    failAt(undefined)
    t.ok(lost.body.error ?? lost.isError, 'no answer when it is not known whether it was written')
    const once = await kept()
    t.not((once as { keys: number }).keys, (after as { keys: number }).keys)
    t.notOk((await use(0, tool, again)).isError)
    t.same({ ...await kept(), audit: 0 }, { ...once, audit: 0 }, `${tool} is done once`)
  }
})
