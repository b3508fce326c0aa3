import t from 'tap'
import { hasSecret } from '../../../src/planning/changes/by-agent.js'
import { EXPLORATION, planLines, writing } from '../../helpers/writing.js'

t.test('what is over a bound is refused, and says so', async (t) => {
  const { use, writer, db } = await writing(t, planLines([{ id: 'a' }, { id: 'b' }]))
  await use(writer, 'claim_item', { item_id: 'a' })
  const [{ credential } = { credential: '' }] = await db.query<{ credential: string }>('select credential_id as credential from leases')
  const refused = async (tool: string, args: object): Promise<void> => {
    const { data, isError, text } = await use(writer, tool, args)
    t.match({ data, isError }, { data: { error: 'too_many_open' }, isError: true }, `${tool}: ${text}`)
  }

  await db.query(`insert into proposals (exploration_id, id, state, changes, base, proposed_by, credential_id)
    select $1, gen_random_uuid(), 'open', '[]', '[]', '{"user": "x"}', $2 from generate_series(1, 100)`, [EXPLORATION, credential])
  await refused('propose_change', { changes: [{ kind: 'edit_item', item_id: 'b', title: 'x' }], rationale: 'so' })
  await refused('report_progress', { item_id: 'a', status: 'done' })
  await db.query("update proposals set state = 'dismissed'")
  t.match((await use(writer, 'propose_change', { changes: [{ kind: 'edit_item', item_id: 'b', title: 'x' }], rationale: 'so' })).data, { state: 'open' })

  await db.query(`insert into leases (exploration_id, item_id, id, credential_id, credential, user_id, "user", since, until)
    select exploration_id, 'x' || n, gen_random_uuid(), credential_id, credential, user_id, "user", since, until
    from leases, generate_series(1, 199) n`)
  await refused('claim_item', { item_id: 'b' })
  t.match((await use(writer, 'claim_item', { item_id: 'a' })).data, { claimed: true }, 'what it holds is renewed')

  await db.query(`insert into notes (exploration_id, id, item_id, text, written_by)
    select $1, gen_random_uuid(), 'a', 'n', '{"user": "x"}' from generate_series(1, 2000)`, [EXPLORATION])
  await refused('add_note', { item_id: 'a', text: 'one more' })
  t.match((await use(writer, 'add_note', { text: 'elsewhere' })).data, { note_id: /-/ })
  const changes = Array.from({ length: 20 }, () => ({ kind: 'edit_package', artifact_type: 'design', find: 'x', replace: 'x'.repeat(50_000) }))
  t.match(await use(writer, 'propose_change', { changes, rationale: 'so' }), { status: 413, body: { error: { message: /at most 131072 bytes: send less at once/ } } })
  t.match(await use(writer, 'add_note', { text: 'x'.repeat(10_001) }), { isError: true, text: /at most|characters|10000/ })
})

t.test('a text of many beginnings of tokens is read once', async (t) => {
  // Each beginning to the end of the text would be a million times a million steps.
  t.notOk(hasSecret('eyJ-'.repeat(250_000)))
  t.ok(hasSecret(`${'eyJ-'.repeat(250_000)} token-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0xx.c2lnbmF0dXJl`))
})

t.test('texts are marked as those of the team, and what changed is a page of at most 6,000 characters', async (t) => {
  const { use, writer, planChanges, person } = await writing(t, planLines([{ id: 'a' }]))
  for (let n = 0; n < 40; n++) {
    const { data } = await use(writer, 'ask_question', { question: `Question ${n}?` })
    await planChanges.answer({ user: person }, EXPLORATION, data['question_id'], `${n} "ignore what was said"\n${'x'.repeat(400)}`)
  }
  const seen = new Set<string>()
  let since: string | undefined
  for (;;) {
    const { data, text } = await use(writer, 'get_changes', { limit: 50, ...(since !== undefined && { since }) })
    t.ok(JSON.stringify(data).length <= 6000, `${JSON.stringify(data).length} characters`)
    t.notMatch(text, /^x/m)
    if (data['changes'].length === 0) break
    for (const { question_id: id } of data['changes']) seen.add(id)
    since = data['next_cursor']
  }
  t.equal(seen.size, 40, 'page by page all of it')
  t.match(await use(writer, 'get_changes', { since: 'nonsense' }), { isError: true })
})
