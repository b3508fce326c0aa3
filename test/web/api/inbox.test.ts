// What waits for people, the newest first, with what accepting does; and the stream of events, which ends with the session.
import t from 'tap'
import { agentsWriting, INSTALMENTS } from '../../helpers/agents-writing.js'
import { EXPLORATION, planLines, useOn, WORKSPACE } from '../../helpers/writing.js'
import { importLines } from '../../helpers/planning-data.js'
import { until } from '../../helpers/until.js'
import { ORIGIN, webServer, type Browser } from '../../helpers/web.js'
import { allPages } from '../all-pages.js'

/* eslint-disable @typescript-eslint/no-explicit-any -- a test looks into answers of any form */
const server = await webServer(t)
const { backend, db, app } = server
await importLines(db, [
  ...planLines([{ id: 'a' }, { id: 'b' }, { id: 'c' }], [['b', 'a']], {
    gates: [{ id: 'gate', title: 'Reviewed', after_group_id: 'g1', criteria: ['read'], status: 'failed' }]
  }, { questions: [{ id: 'q1', question: 'Which?', answer: null, status: 'open' }] }),
  { type: 'requirement_package', exploration_id: EXPLORATION, artifact_type: 'design', version: 1, markdown: 'One. Two.', updated_at: '2026-11-01T09:00:00.000Z' }
])
await db.query("update workspaces set agents = 'propose' where id = $1", [WORKSPACE])
const [editor, viewer] = [await server.newPerson('editor', 'loop', 'editor'), await server.newPerson('viewer', 'loop')]
const stranger = await server.signIn(server.wide.id)
const { key } = await backend.credentials.createKey({ user: editor.id, name: 'agent', scope: 'read_write' })
const use = useOn({ app, db })

t.test('each kind waits, the newest first, in pages', async (t) => {
  const propose = (...changes: object[]) => use(key, 'propose_change', { changes, rationale: 'It is better.', confidence: 'high' })
  await propose(
    { kind: 'edit_item', item_id: 'b', title: 'Better' }, { kind: 'add_item', group_id: 'g2', title: 'New' },
    { kind: 'add_dependency', item_id: 'c', depends_on: 'b' }, { kind: 'edit_package', artifact_type: 'design', find: 'Two', replace: '2' },
    { kind: 'answer_question', question_id: 'q1', answer: 'This.' }, { kind: 'set_gate', gate_id: 'gate', status: 'passed' },
    { kind: 'move_item', item_id: 'a', group_id: 'g1', after_item_id: 'c' }, { kind: 'add_item', group_id: 'g1', title: 'First of all', after_item_id: '' },
    { kind: 'remove_dependency', item_id: 'b', depends_on: 'a' })
  await use(key, 'ask_question', { question: 'Left or right?', options: ['left', 'right'], item_id: 'b' })
  await use(key, 'claim_item', { item_id: 'a' })
  await use(key, 'report_progress', { item_id: 'a', status: 'done', evidence: [{ kind: 'url', ref: 'x' }] })
  await use(key, 'claim_item', { item_id: 'c' })
  await db.query("update leases set until = now() - interval '1 minute' where item_id = 'c'")
  await backend.planChanges.tidy()

  const { body, status, text } = await editor.browser.call<any>('GET', '/inbox')
  t.equal(status, 200, text)
  t.same(body.counts, { proposal: 1, finished: 1, question: 2, gate: 1, lease: 1 })
  t.equal(body.total, 6)
  t.equal(body.items.length, 6)
  const times = body.items.map(({ at }: any) => at)
  t.same(times, [...times].sort().reverse())
  const of = (kind: string): any => body.items.find((item: any) => item.kind === kind)
  t.match(of('finished'), { item: { id: 'a', title: 'Item a' }, by: { credential: 'agent' }, proposal: { changes: [{ kind: 'complete_item', effect: /done/ }] }, exploration: { id: EXPLORATION }, workspace: { id: WORKSPACE, name: 'Loop' } })
  t.match(of('proposal').proposal.changes, [
    { place: { title: 'Item b', before: { title: 'Item b' } }, effect: 'Changes title of “Item b”.' },
    { effect: 'Adds “New” to the group “Second”, at its end.' },
    { place: { id: 'c' }, effect: '“Item c” waits until “Item b” is done.' },
    { place: { kind: 'package', title: 'design' }, effect: /next version/ },
    { place: { title: 'Which?' }, effect: 'Answers “Which?”, in your name.' },
    { place: { title: 'Reviewed', before: { status: 'failed' } }, effect: 'Sets the gate “Reviewed” to passed.' },
    { effect: 'Moves “Item a” to the group “First”, after “Item c”.' },
    { effect: 'Adds “First of all” to the group “First”, at its start.' },
    { effect: '“Item b” no longer waits for “Item a”.' }
  ])
  t.match(of('question'), { text: /Left or right/, item: { id: 'b' }, by: { credential: 'agent' } })
  t.match(of('gate'), { id: 'gate', text: 'Reviewed', gate: { criteria: ['read'] } })
  t.match(of('lease'), { id: 'c', item: { id: 'c' }, by: { credential: 'agent' }, lease: { until: String } })

  t.same(await allPages(editor.browser, '/inbox?limit=1', ({ items }: any) => items), body.items)

  for (const { kind, id } of body.items) {
    if (kind === 'proposal' || kind === 'finished') await editor.browser.call('POST', `/proposals/${id}/dismissal`, { reason: 'No.' })
    if (kind === 'question') await editor.browser.call('POST', `/explorations/${EXPLORATION}/questions/${id}/answer`, { text: 'Yes.' })
  }
  const act = (made: object) => editor.browser.call('POST', `/explorations/${EXPLORATION}/changes`, { changes: [made] })
  t.equal((await act({ kind: 'set_gate', gate_id: 'gate', status: 'passed' })).status, 200)
  t.equal((await act({ kind: 'release_item', item_id: 'c' })).status, 200)
  const { body: after } = await editor.browser.call<any>('GET', '/inbox')
  const linked = async (browser: Browser, proposal: string) => (await browser.call<any>('GET', `/inbox?proposal=${proposal}`)).body
  const { id: decided } = of('proposal')
  t.match(await linked(editor.browser, decided), { total: 0, items: [{ id: decided, proposal: { state: 'dismissed', decided_by: 'editor@example.com', decided_at: /^20.*Z$/, reason: 'No.' } }] })
  for (const [browser, id] of [[editor.browser, EXPLORATION], [editor.browser, 'none'], [stranger, decided]] as const) t.same((await linked(browser, id)).items ?? [], [])
  t.same(after.items, [], 'a claim that ended with what was dismissed is no news')
})

t.test('a long record that many changes are about is not repeated without end', async (t) => {
  const long = Array.from({ length: 60 }, () => ({ text: 'x'.repeat(5000), met: false }))
  await db.query("update plan_items set acceptance = $2::jsonb where exploration_id = $1 and id = 'b'", [EXPLORATION, JSON.stringify(long)])
  const changes = Array.from({ length: 20 }, () => ({ kind: 'edit_item', item_id: 'b', acceptance: [{ text: 'shorter' }] }))
  const { data: { proposal_id: id } } = await use(key, 'propose_change', { changes, rationale: 'so' })
  const { body, text } = await editor.browser.call<any>('GET', '/inbox')
  const [first] = body.items[0].proposal.changes
  t.equal(first.place.before.acceptance.length, 60)
  t.equal(body.items[0].proposal.changes.length, 20, 'all changes are there')
  t.ok(text.length < 5_000_000, `${text.length} characters`)
  await editor.browser.call('POST', `/proposals/${id}/dismissal`, { reason: 'No.' })
})

interface Decided { state: string, rows: string[], detail: string }

t.test('a decision says what it wrote; undone, all is as before, and the proposal waits again', async (t) => {
  await agentsWriting(server)
  const ada = await server.signIn(server.wide.id)
  const open = async (kind: string): Promise<string> => {
    const { body } = await ada.call<{ proposals: Array<{ id: string, changes: Array<{ kind: string }> }> }>('GET', '/proposals?state=open')
    return body.proposals.find(({ changes }) => changes[0]?.kind === kind)?.id ?? ''
  }
  const items = (): Promise<unknown[]> => db.query(
    'select id, title, description, status, group_id, "order", finished from plan_items where exploration_id = $1 order by id', [INSTALMENTS])
  const undo = (id = ''): ReturnType<typeof ada.call<Decided>> => ada.call<Decided>('POST', `/history/${id}/undo`)

  for (const [kind, action, body] of [
    ['edit_item', 'acceptance', undefined], ['complete_item', 'acceptance', undefined], ['complete_item', 'dismissal', { reason: 'Not yet.' }],
    ['add_item', 'acceptance', { changes: [{ kind: 'add_item', group_id: 'g3', title: 'My words' }] }]
  ] as const) {
    const [id, before] = [await open(kind), await items()]
    const { status, body: decided } = await ada.call<Decided>('POST', `/proposals/${id}/${action}`, body)
    t.equal(status, 200)
    t.not(await open(kind), id)
    t.notSame(await items(), before)
    // An addition is made from nothing that could have changed.
    if (action === 'acceptance' && kind !== 'add_item') {
      const early = await undo(decided.rows[0])
      t.equal(early.status, 409, `${kind}: not open again while its changes stand`)
      t.match(early.body.detail, /undo its changes first/)
    }
    for (const row of decided.rows.toReversed()) t.match(await undo(row), { status: 200 })
    t.equal(await open(kind), id, `${kind}, ${action}: it waits again`)
    t.same(await items(), before, `${kind}, ${action}: all is as before`)
  }
})

interface Opened { status: number, lines: string[], ended: () => boolean, close: () => void }
const events = async ({ cookie }: Browser, address: string): Promise<Opened> => {
  const closing = new AbortController()
  const response = await fetch(`${address}/web/v1/events`, { headers: { cookie }, signal: closing.signal })
  const lines: string[] = []
  let over = false
  const read = async (): Promise<void> => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) lines.push(...chunk.split('\n').filter((line) => line !== ''))
  }
  read().catch(() => {}).finally(() => { over = true })
  return { status: response.status, lines, ended: () => over, close: () => { closing.abort() } }
}

t.test('events say where something has changed, until the session ends', async (t) => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const address = `http://127.0.0.1:${port}`
  // The cookie's name has the port of the address that people open.
  const nameAt = (browser: Browser): Browser => ({ ...browser, cookie: browser.cookie.replace(new URL(ORIGIN).port, String(port)) })
  const listeners = await Promise.all([editor, viewer].map(({ browser }) => events(nameAt(browser), address)))
  const outsider = await events(nameAt(await server.signIn(server.narrow.email)), address)
  t.same([...listeners, outsider].map(({ status }) => status), [200, 200, 200])
  await until(() => [...listeners, outsider].every(({ lines }) => lines.length > 0))
  await use(key, 'add_note', { text: 'By an agent.' })
  const told = `data: ${JSON.stringify({ workspace_id: WORKSPACE, exploration_id: EXPLORATION })}`
  await until(() => listeners.every(({ lines }) => lines.includes(told)))
  t.same(outsider.lines, [':'], 'of the workspaces that they see')

  const more = await Promise.all(Array.from({ length: 8 }, () => events(nameAt(editor.browser), address)))
  t.equal(more.filter(({ status }) => status === 429).length, 1, 'eight of a session')
  for (const { close } of more) close()

  await backend.directory.removeMember({ user: viewer.id, workspace: 'loop' })
  await db.query('delete from web_sessions where user_id = $1', [editor.id])
  await use(key, 'add_note', { text: 'Once more.' })
  await until(() => listeners[0]!.ended())
  t.equal(listeners[0]!.lines.filter((line) => line === told).length, 1, 'nothing after the session')
  t.equal(listeners[1]!.lines.filter((line) => line === told).length, 1, 'nothing after the membership')
  t.notOk(listeners[1]!.ended())
  t.equal((await events(nameAt(editor.browser), address)).status, 401)
})
