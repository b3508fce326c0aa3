// Explorations in the web application: newest first and found, their texts as trees, packages, plans, and what an agent sees.
import t from 'tap'
import type { ResponseOf } from '../../../src/administration/operation.js'
import type { Operations } from '../../../src/administration/operations.js'
import { importLines, explorationLine } from '../../helpers/planning-data.js'
import { webServer } from '../../helpers/web.js'
import { allPages } from '../all-pages.js'

type Explorations = ResponseOf<Operations['GET /explorations']>
type Detail = ResponseOf<Operations['GET /explorations/:id']>
type Plan = ResponseOf<Operations['GET /explorations/:id/plan']>
type Package = ResponseOf<Operations['GET /explorations/:id/packages/:type']>
type AgentView = ResponseOf<Operations['GET /explorations/:id/agent-view']>

const TILLPOINT = '9cbfccdf-b653-8b0c-a4c9-b4f479f9f87c'
const INSTALMENTS = 'baa27217-6a87-8d2c-ace1-38b32c3c86a0'
const REMINDERS = '8592fb09-1c29-858a-ab6c-5797512f7bac'
const CHARGEBACKS = 'a935930e-1be6-8e81-a2ea-2014e5a696b7'

const server = await webServer(t)
const wide = await server.signIn(server.wide.id)
const narrow = await server.signIn(server.narrow.id)

t.test('the newest first, page by page, each once', async (t) => {
  const all = await allPages(wide, '/explorations?limit=5', ({ explorations }: Explorations) => {
    t.ok(explorations.length <= 5)
    return explorations
  })
  t.equal(all.length, 12)
  t.equal(new Set(all.map(({ id }) => id)).size, 12)
  const times = all.map(({ updated_at: at }) => at)
  t.same(times, [...times].sort().reverse())
  const one = all.find(({ id }) => id === INSTALMENTS)
  t.match(one, {
    title: 'Pay in instalments at checkout',
    workspace: { id: TILLPOINT, slug: 'tillpoint', name: 'Tillpoint Payments' },
    artifact_types: ['code', 'design'],
    has_plan: true,
    plan: { total: Number }
  })
  t.notOk(one && 'score' in one)
  const { todo, in_progress: doing, done, blocked, total } = one!.plan!
  t.equal(todo + doing + done + blocked, total)
  t.ok(all.some(({ plan }) => plan === null))
})

t.test('filters by workspace, status and tag; without a membership there is nothing to find', async (t) => {
  const ids = async (query: string) => (await wide.call<Explorations>('GET', `/explorations?${query}`)).body.explorations.map(({ id }) => id)
  t.equal((await ids('workspace=tillpoint')).length, 4)
  t.equal((await ids(`workspace=${TILLPOINT}&status=exploring`)).length, 2)
  t.same(await ids('tag=checkout'), [INSTALMENTS])
  t.same(await ids('tag=check'), [])
  t.match(await narrow.call('GET', '/explorations?workspace=tillpoint'), { status: 404, body: { detail: /"tillpoint", or you are not a member of it/ } })
  t.match(await wide.call('GET', '/explorations?workspace=nonesuch'), { status: 404, body: { detail: /"nonesuch", or you are not a member of it/ } })
  t.match(await wide.call('GET', '/explorations?status=nonsense'), { status: 400 })
})

t.test('the search of the tools, with the passage and where its words are', async (t) => {
  const { body } = await wide.call<Explorations>('GET', '/explorations?q=waiting%20list%20for%20cancelled%20slots')
  const [first] = body.explorations
  t.match(first, { title: 'A waiting list that fills cancelled slots by itself', score: Number, snippet: String })
  const marked = first?.matches?.map(({ start, end }) => first.snippet?.slice(start, end).toLowerCase()) ?? []
  t.ok(marked.length > 0, 'words are marked')
  t.ok(marked.every((word) => /^(?:wait|list|cancel|slot)/.test(word ?? '')), marked.join())
  const tagged = await wide.call<Explorations>('GET', '/explorations?q=cancelled&tag=reminders')
  t.same(tagged.body.explorations.map(({ id }) => id), [REMINDERS])
  const foreign = await narrow.call<Explorations>('GET', '/explorations?q=instalments%20at%20checkout')
  t.notOk(foreign.body.explorations.some(({ id }) => id === INSTALMENTS))
  t.same((await wide.call<Explorations>('GET', '/explorations?q=%20')).body.explorations.length, 12, 'blanks ask for nothing')
})

t.test('tags with how many have them', async (t) => {
  const { body } = await narrow.call<{ tags: Array<{ tag: string, count: number }> }>('GET', '/tags')
  t.same(body.tags.find(({ tag }) => tag === 'calendar'), { tag: 'calendar', count: 2 })
  t.notOk(body.tags.some(({ tag }) => tag === 'checkout'))
})

t.test('one exploration: open questions first, texts as trees, the names of who approved', async (t) => {
  const { status, body } = await wide.call<Detail>('GET', `/explorations/${INSTALMENTS}`)
  t.equal(status, 200)
  const states = body.questions.map(({ status }) => status)
  t.same(states, [...states].sort((one, other) => one === other ? 0 : one === 'open' ? -1 : 1))
  t.equal(body.question_counts.open + body.question_counts.answered, body.questions.length)
  t.ok(body.questions.every(({ status, answer }) => (status === 'open') === (answer === null)))
  t.match(body.summaries[0]?.text[0], { t: 'p', children: [{ t: 'text', text: String }] })
  t.match(body.plan, { version: Number, compilation_state: 'compiled', total: Number })
  t.ok(body.recommendations.length > 0)
  t.match(body.recommendations[0], { kind: 'strategy', body: [{ t: String }] })
  t.equal(body.resource_uri, `exploration://exploration/${INSTALMENTS}`.replace('exploration://', `${body.resource_uri.split(':')[0]}://`))
  const { body: foreign, status: hidden } = await narrow.call('GET', `/explorations/${INSTALMENTS}`)
  const { body: unknown, status: absent } = await narrow.call('GET', '/explorations/00000000-0000-4000-8000-000000000000')
  t.same([hidden, absent], [404, 404])
  t.equal(foreign['detail'], unknown['detail'], 'as if it did not exist')
})

t.test('a package: its text, its tree and the headings', async (t) => {
  const { body } = await wide.call<Package>('GET', `/explorations/${INSTALMENTS}/packages/design`)
  t.equal(body.total_chars, body.markdown.length)
  t.ok(body.toc.length > 0)
  const headings = body.tree.filter(({ t: tag }) => tag === 'h').map(({ id }) => id)
  t.same(body.toc.map(({ id }) => id), headings)
  t.equal(new Set(headings).size, headings.length)
  t.match(await wide.call('GET', `/explorations/${INSTALMENTS}/packages/nonesuch`), { status: 404, body: { detail: /no package of this type/ } })
  t.match(await wide.call('GET', `/explorations/${INSTALMENTS}/packages/..%2f..%2f`), { status: 404 })
})

t.test('a plan: whole and in order, with what is ready, also one that agents may not read', async (t) => {
  const { body } = await wide.call<Plan>('GET', `/explorations/${INSTALMENTS}/plan`)
  t.equal(body.items.length, body.counts.total)
  const order = body.groups.map(({ id }) => id)
  const ranks = body.items.map(({ group_id: id }) => order.indexOf(id))
  t.same(ranks, [...ranks].sort((one, other) => one - other))
  const state = new Map(body.items.map(({ id, status }) => [id, status]))
  for (const { id, ready, status } of body.items) {
    const waits = body.dependencies.some(({ item_id: item, depends_on: other, kind }) => kind === 'blocks' && item === id && state.get(other) !== 'done')
    t.equal(ready === true, status === 'todo' && !waits, id)
  }
  t.notOk('warning' in body)
  t.match((await narrow.call<Plan>('GET', `/explorations/${REMINDERS}/plan`)).body, { compilation_state: 'stale', warning: /^Stale/ })
  t.match((await wide.call<Plan>('GET', `/explorations/${CHARGEBACKS}/plan`)).body, { compilation_state: 'not_compiled', warning: /not_compiled/ })
  t.match(await wide.call('GET', '/explorations/f736ad5b-b2f7-80a6-a12b-9628eeca500d/plan'), { status: 404, body: { detail: /no plan/ } })
})

t.test('what an agent sees: the answer of each tool, with the rights of the person', async (t) => {
  const { body: { tools } } = await wide.call<AgentView>('GET', `/explorations/${INSTALMENTS}/agent-view`)
  t.same([...new Set(tools.map(({ name }) => name))], [
    'find_explorations', 'get_exploration', 'get_requirement_package', 'get_planning_state', 'get_planning_full', 'get_recommendations'
  ])
  t.ok(tools.every(({ is_error: failed, text }) => !failed && text.length > 0))
  t.match(tools.find(({ name }) => name === 'get_exploration'), { arguments: { exploration_id: INSTALMENTS }, structured: { id: INSTALMENTS } })
  const refused = (await wide.call<AgentView>('GET', `/explorations/${CHARGEBACKS}/agent-view`)).body.tools
  t.match(refused.find(({ name }) => name === 'get_planning_full'), { is_error: true, text: /not_compiled/ })
})

t.test('hostile texts of records come through as data', async (t) => {
  const evil = 'A [link](javascript:alert(1)) <script>alert(1)</script> ![p](https://x.example/p.png) [ok](https://ok.example/a) \u202Eabc\u200B'
  const line = explorationLine(TILLPOINT, '<img src=x onerror=alert(1)>\u202E', evil, {
    tags: ['<b>tag</b>'],
    url: 'https://tracker.example/1',
    questions: [{ id: 'q1', question: evil, answer: null, status: 'open' }]
  })
  await importLines(server.db, [line])
  const { body, headers } = await wide.call<Detail>('GET', `/explorations/${line.id}`)
  t.match(headers['content-type'], /^application\/json/)
  t.equal(body.title, '<img src=x onerror=alert(1)>\\u202e')
  const text = JSON.stringify(body.summaries)
  t.notMatch(text, /"href":"javascript/)
  t.match(text, /<script>alert/, 'HTML stays text')
  t.match(text, /"href":"https:\/\/ok\.example\/a"/)
  t.match(text, /\\\\u202eabc\\\\u200b/, 'what no one sees is shown')
  t.notMatch(text, /[\u202E\u200B]/)
})

t.test('forms of a word are marked, other words that begin alike are not', async (t) => {
  await importLines(server.db, [explorationLine(TILLPOINT, 'Vessel charter deposits', 'A partner whose payout waits pays parts of each payment of the charterparty.', {
    tags: ['charter']
  })])
  const { body } = await wide.call<Explorations>('GET', '/explorations?q=pay%20part%20charter&tag=charter')
  const [found] = body.explorations
  t.same(found?.matches?.map(({ start, end }) => found.snippet?.slice(start, end)), ['pays', 'parts', 'payment', 'charterparty'])
})

/** Markdown that takes long to parse: four times as long, if it is twice as long. */
const SLOW = '|a|b|\n|-|-|\n'.padEnd(24_000, 'a\n=')

const packageLine = (exploration: string, markdown: string) => ({
  type: 'requirement_package', exploration_id: exploration, artifact_type: 'design', version: 1, markdown, updated_at: '2026-01-01T00:00:00.000Z'
})

t.test('an exploration of texts that repeat a long address is cut, with all its questions', async (t) => {
  const text = `[a]: http://x.example/${'y'.repeat(470)}\n\n${'[a] '.repeat(4000)}`
  const line = explorationLine(TILLPOINT, 'A long address', text, {
    questions: Array.from({ length: 9 }, (_, at) => ({ id: `q${at}`, question: `Question ${at}`, answer: text, status: 'answered' }))
  })
  await importLines(server.db, [line, packageLine(line.id, `[a]: http://x.example/${'y'.repeat(470)}\n\n${'[a] '.repeat(8000)}`)])
  const { body, text: json } = await wide.call<Detail>('GET', `/explorations/${line.id}`)
  t.ok(json.length < 2_010_000, `${json.length} bytes`)
  t.equal(body.cut, true)
  t.same([body.questions.length, body.question_counts.answered], [9, 9])
  t.ok(JSON.stringify(body.summaries).length > 1_000_000, 'the first text is there')
  const { body: design, text: packageJson } = await wide.call<Package>('GET', `/explorations/${line.id}/packages/design`)
  t.ok(packageJson.length < 2_010_000 + design.markdown.length, `${packageJson.length} bytes`)
  t.equal(design.cut, true)
})

t.test('texts of a plan are cut where they are longer together than one answer may be, and the plan says so', async (t) => {
  const line = explorationLine(TILLPOINT, 'A plan of long texts', 'Long.')
  const criteria = Array.from({ length: 75 }, () => '\u202E'.repeat(5000))
  await importLines(server.db, [line, {
    type: 'execution_plan',
    exploration_id: line.id,
    version: 1,
    compilation_state: 'compiled',
    updated_at: '2026-01-01T00:00:00.000Z',
    groups: [{ id: 'g', title: 'Group', order: 1 }],
    items: [{ id: 'i', group_id: 'g', title: 'Item', description: 'Last', status: 'todo', order: 1 }],
    dependencies: [],
    gates: [{ id: 'gate', title: 'Gate', after_group_id: 'g', criteria, status: 'open' }],
    conflicts: []
  }])
  const { body, text } = await wide.call<Plan>('GET', `/explorations/${line.id}/plan`)
  t.ok(text.length < 2_500_000, `${text.length} bytes`)
  t.match(body.warning, /texts are cut/)
  t.match(body.items, [{ title: 'Item', description: '', description_cut: true }])
})

t.test('no one waits for the tree of a hostile text, and one person has one under way', async (t) => {
  const lines = ['markdown', 'directions'].map((what) => explorationLine(TILLPOINT, `Hostile ${what}`, 'Slow.'))
  const [slow, directions] = lines.map(({ id }) => `/explorations/${id}/packages/design`) as [string, string]
  await importLines(server.db, [...lines, packageLine(lines[0]!.id, SLOW), packageLine(lines[1]!.id, '\u202E'.repeat(30_000))])
  for (const path of [slow, directions]) {
    const reply = wide.call('GET', path)
    let pings = 0
    const ping = async (): Promise<undefined> => {
      await server.app.inject('/livez')
      await new Promise(setImmediate)
      pings++
    }
    while (await Promise.race([reply, ping()]) === undefined);
    t.equal((await reply).status, 200)
    t.ok(pings > 20, `${pings} requests are answered meanwhile`)
  }

  const order: string[] = []
  const ask = async (browser: typeof wide, name: string, path: string) => {
    t.equal((await browser.call('GET', path)).status, 200)
    order.push(name)
  }
  await Promise.all([
    ask(wide, 'first', slow), ask(wide, 'second', slow), ask(wide, 'third', slow),
    ask(narrow, 'another person', `/explorations/${REMINDERS}`)
  ])
  t.ok(order.indexOf('another person') <= 1, order.join())
})
