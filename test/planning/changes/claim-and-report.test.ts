// What agents claim and report: leases, revisions, who may write, and the bounds of it.
import t from 'tap'
import { hasSecret } from '../../../src/planning/changes/by-agent.js'
import { post, toolCall } from '../../helpers/build.js'
import { EXPLORATION, planLines, WORKSPACE, writing } from '../../helpers/writing.js'

const EVIDENCE = [{ kind: 'commit', ref: '3f2a91c', summary: 'the change' }]

const { app, use, planChanges, writer, other, reader, list, policy, renew, keyFor, credentials, person, history, db } = await writing(t)

t.test('an agent claims an item, reports on it, and others see it', async (t) => {
  await renew(planLines([{ id: 'a', description: 'Move it.' }, { id: 'b' }, { id: 'c' }], [['b', 'a']]))

  const claimed = await use(writer, 'claim_item')
  t.match(claimed.data, { claimed: true, item: { id: 'a', status: 'in_progress', revision: 1, claimed_by: { user: 'ada@example.com', credential: 'writer' } } })
  t.match(claimed.text, /^Claimed until .*\na "Item a", in_progress, revision 1, held by "writer" of "ada@example\.com" until .*\n {2}> Move it\.\n/)
  t.match(claimed.data['briefing'], /Unblocks:\n- b "Item b"\n.*get_exploration, service:\/\/exploration\//s)
  t.ok(claimed.data['briefing'].length <= 3000)
  t.equal(claimed.data['item'].lease_expires_at, claimed.data['lease'].expires_at)

  const held = await use(other, 'claim_item', { item_id: 'a' })
  t.match(held.data, { claimed: false, reason: 'held', current: { id: 'a', claimed_by: { credential: 'writer' } } })
  t.match(held.text, /^Not claimed: held\.\na .*held by "writer" of "ada@example\.com" until /, 'as text, too')
  t.match((await use(other, 'claim_item', { item_id: 'b' })).data, { claimed: false, reason: 'not_ready' })
  t.match((await use(other, 'claim_item')).data, { claimed: true, item: { id: 'c' } }, 'the first that is ready')
  t.match((await use(other, 'claim_item')).data, { claimed: false, reason: 'nothing_ready' })
  t.same((await use(writer, 'claim_item', { item_id: 'a', lease_minutes: 5 })).data['lease'].id, claimed.data['lease'].id, 'its own is renewed')

  t.match((await use(other, 'report_progress', { item_id: 'a', status: 'done', evidence: EVIDENCE })).data,
    { written: false, reason: 'held', current: { status: 'in_progress' }, changed_by: { user: 'ada@example.com', credential: 'writer' } })
  const done = await use(writer, 'report_progress', { item_id: 'a', status: 'done', evidence: EVIDENCE, note: 'It works.' })
  t.match(done.data, { written: true, item: { status: 'done', revision: 2, evidence: EVIDENCE, notes: [{ text: 'It works.' }] }, plan_version: 4 })
  t.notOk('claimed_by' in done.data['item'])
  t.match((await use(writer, 'claim_item', { item_id: 'a' })).data, { claimed: false, reason: 'done' })
  t.match((await use(writer, 'claim_item')).data, { claimed: true, item: { id: 'b' } }, 'what waited for it is ready')

  const seen = await use(reader, 'get_planning_full')
  t.same(seen.data['items'].map(({ id, status }: { id: string, status: string }) => [id, status]), [['a', 'done'], ['b', 'in_progress'], ['c', 'in_progress']])
  t.notMatch(JSON.stringify(seen.body), /revision|claimed_by|evidence|It works/, 'a reader sees no more than before')

  t.match(await history(), [
    { kind: 'lease', target: 'a', before: { status: 'todo', lease: null }, after: { status: 'in_progress' }, user: 'ada@example.com', credential: 'writer', tool: 'claim_item' },
    { kind: 'lease', target: 'c', credential: 'other' },
    { kind: 'lease', target: 'a' },
    { kind: 'item', target: 'a', before: { status: 'in_progress', note: null }, after: { status: 'done', note: { text: 'It works.' } }, events: [{ kind: 'item_changed' }, { kind: 'item_ready', item_id: 'b' }] },
    { kind: 'lease', target: 'b' }
  ])
  const audit = await db.query("select action, outcome, exploration_id, workspace_id from audit_events where action = 'tools/call report_progress' order by id")
  t.same(audit, Array.from({ length: 2 }, () => ({ action: 'tools/call report_progress', outcome: 'ok', exploration_id: EXPLORATION, workspace_id: WORKSPACE })))
  t.notMatch(JSON.stringify(await db.query('select * from audit_events')), /It works|3f2a91c/)
})

t.test('a briefing has what blocks the item, and what names it', async (t) => {
  const requirements = { type: 'requirement_package', exploration_id: EXPLORATION, artifact_type: 'code', title: 'Code', version: 1, updated_at: '2026-01-01T00:00:00Z' }
  const dependencies = [{ item_id: '1', depends_on: 'b', kind: 'relates' }]
  const lines = planLines([{ id: '1' }, { id: 'b' }], [], { dependencies })
  await renew([...lines, { ...requirements, markdown: 'Within 10 ms.' }, { ...requirements, artifact_type: 'tasks', markdown: 'Then Item 1.' }])
  const { briefing } = (await use(writer, 'claim_item', { item_id: '1' })).data
  t.notMatch(briefing, /Waits for/, 'a relation blocks nothing')
  t.match(briefing, /Package tasks, where it names the item:\n> Then Item 1\./)
  t.notMatch(briefing, /Within 10 ms/, 'a number is not the item')
})

t.test('a write shows that it has read: a lease, or the revision', async (t) => {
  await renew(planLines([{ id: 'a' }]))
  const refused = await use(writer, 'report_progress', { item_id: 'a', status: 'blocked' })
  t.match(refused, { isError: true, data: { error: 'not_held' } })
  t.match((await use(writer, 'report_progress', { item_id: 'nope', status: 'blocked' })).data, { error: 'unknown_item' })
  const [one, two] = await Promise.all([writer, other].map((key) => use(key, 'report_progress', { item_id: 'a', status: 'blocked', expected_revision: 1 })))
  const [written, lost] = [one!, two!].sort(({ data }) => data['written'] ? -1 : 1)
  t.match(written!.data, { written: true, item: { revision: 2 } })
  t.match(lost!.text, /^Not written: it has changed since by "(writer|other)" of "ada@example\.com", 2/)
  t.match(lost!.data, { written: false, reason: 'changed', expected: 1, current: { revision: 2, status: 'blocked' }, changed_by: { user: 'ada@example.com' } })
  t.match((await use(writer, 'report_progress', { item_id: 'a', status: 'todo', expected_revision: 2 })).data, { written: true })
})

t.test('where a person decides, done waits', async (t) => {
  await renew(planLines([{ id: 'a' }]), 'propose')
  await use(writer, 'claim_item')
  const finished = await use(writer, 'report_progress', { item_id: 'a', status: 'done', evidence: EVIDENCE })
  t.match(finished.data, { proposed: true, proposal_id: /-/ })
  t.same((await use(writer, 'report_progress', { item_id: 'a', status: 'done' })).data, finished.data, 'once')
  const [item] = (await use(writer, 'get_planning_full')).data['items']
  t.match(item, { status: 'in_progress', finished: { proposal_id: finished.data['proposal_id'] } })
  t.notOk('claimed_by' in item)
  t.match((await use(writer, 'claim_item', { item_id: 'a' })).data, { claimed: false, reason: 'not_ready' })
  t.match(await db.query('select state, changes from proposals'), [{ state: 'open', changes: [{ kind: 'complete_item', item_id: 'a', evidence: EVIDENCE }] }])
})

t.test('the same call with one key is done once', async (t) => {
  await renew(planLines([{ id: 'a' }]))
  await use(writer, 'claim_item')
  const args = { item_id: 'a', status: 'in_progress', note: 'half', idempotency_key: 'k1' }
  const first = await use(writer, 'report_progress', args)
  for (const again of await Promise.all([1, 2, 3].map(() => use(writer, 'report_progress', args)))) t.same(again.data, first.data)
  t.equal((await history()).length, 2)
  t.match((await use(writer, 'report_progress', { ...args, note: 'whole' })).data, { error: 'idempotency_conflict' })
  t.match((await use(other, 'claim_item', { idempotency_key: 'k1' })).data, { claimed: false }, 'keys belong to a credential')
  const none = { item_id: 'a', idempotency_key: 'k2' }
  const refused = await use(other, 'report_progress', { ...none, status: 'done' })
  t.match(refused.data, { written: false, reason: 'held' })
  await use(writer, 'report_progress', { item_id: 'a', status: 'todo' })
  t.same((await use(other, 'report_progress', { ...none, status: 'done' })).data, refused.data, 'an answer that nothing was written is kept too')
})

t.test('who may not write does not', async (t) => {
  await renew(planLines([{ id: 'a' }]), 'read')
  const before = await list(reader)
  t.match((await use(writer, 'claim_item')).body.error, { code: -32602 }, 'as if there were no such tool')
  t.same(await list(writer), before)

  await policy('report')
  t.equal(await list(reader), before)
  t.ok((await list(writer)).length < 17_000, `${(await list(writer)).length} characters`)
  t.equal((await use(reader, 'claim_item')).status, 403)
  await db.query("update memberships set role = 'viewer' where user_id = $1", [person.id])
  t.equal((await use(writer, 'claim_item')).status, 403)
  await db.query("update memberships set role = 'editor' where user_id = $1", [person.id])
  t.match((await use(writer, 'claim_item')).data, { claimed: true })

  await db.query("update workspaces set agents = 'report' where slug = 'kiln'")
  await db.query("insert into memberships (user_id, workspace_id, role) select $1, id, 'editor' from workspaces where slug = 'kiln'", [person.id])
  await policy('read')
  const refused = await use(writer, 'claim_item')
  t.match(refused, { isError: true, data: { error: 'agents_read_only' } })
  t.match(refused.text, /workspaces update/)
  t.match((await history()).at(-1), { kind: 'lease', target: 'a', after: { lease: null }, events: [{ kind: 'lease_ended' }] }, 'its leases have ended')
})

t.test('a lease ends with its credential, and by itself', async (t) => {
  await renew(planLines([{ id: 'a' }, { id: 'b' }]))
  const { key, id } = await keyFor('read_write', 'short')
  await use(key, 'claim_item', { item_id: 'a' })
  await credentials.revoke('api_key', id)
  t.same(await db.query('select * from leases'), [])
  t.match((await use(writer, 'claim_item', { item_id: 'a' })).data, { claimed: true })
  await use(writer, 'claim_item', { item_id: 'b' })
  t.match((await use(writer, 'report_progress', { item_id: 'b', status: 'done' })).data, { proposed: true }, 'done without evidence waits for a person')
  await db.query("update leases set until = now() - interval '1 minute' where item_id = 'a'")
  t.match((await use(writer, 'report_progress', { item_id: 'a', status: 'in_progress', note: 'late' })).data, { written: true }, 'no one else has claimed it')
  t.match((await use(other, 'claim_item')).data, { claimed: true, item: { id: 'a' } }, 'found without its id')
  t.match((await use(writer, 'report_progress', { item_id: 'a', status: 'done', evidence: EVIDENCE })).data, { written: false, reason: 'held' })
})

t.test('secrets are refused', async (t) => {
  await renew(planLines([{ id: 'a' }]))
  await use(writer, 'claim_item')
  for (const secret of [`ghp_${'a1'.repeat(18)}`, 'AKIAABCDEFGHIJKLMNOP', 'xoxb-1234567890-abcdef', writer, '-----BEGIN RSA PRIVATE KEY-----', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${'x'.repeat(30)}`]) {
    t.match((await use(writer, 'report_progress', { item_id: 'a', status: 'in_progress', note: `see ${secret}` })).data, { error: 'secret_in_text' }, secret.slice(0, 8))
  }
  t.same(await db.query('select * from notes'), [])
})

t.test('a client whose name is cut within a character writes, too', async (t) => {
  await renew(planLines([{ id: 'a' }]))
  const clientInfo = { name: `${'n'.repeat(99)}\u{1F600}`, version: '1' }
  const { headers, body } = toolCall(writer, 'add_note', { exploration_id: EXPLORATION, text: 'A note' }, { 'io.modelcontextprotocol/clientInfo': clientInfo })
  t.match(await post(app, writer, body, headers), { status: 200, body: { result: { structuredContent: { note_id: /-/ } } } })
  t.match(await db.query('select written_by from notes'), [{ written_by: { client: /^n{99}\ufffd\/1$/ } }])
})

t.test('what is over a bound is refused, and says so', async (t) => {
  await renew(planLines([{ id: 'a' }, { id: 'b' }]))
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
  await renew(planLines([{ id: 'a' }]))
  for (let n = 0; n < 20; n++) {
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
  t.equal(seen.size, 20, 'page by page all of it')
  t.match(await use(writer, 'get_changes', { since: 'nonsense' }), { isError: true })
})
