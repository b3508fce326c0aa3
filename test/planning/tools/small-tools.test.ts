// The tools whose answers are small: who answers, workspaces, the search, recommendations, the state of a plan.
import t from 'tap'
import type { Fault } from '../../../src/lib/errors.js'
import { tools } from '../../../src/planning/tools/index.js'
import { call, finish, idOf, of, planning, sample, use, workspaceId } from '../../helpers/planning.js'

const store = await planning(t)

t.test('ping tells who answers and when', async (t) => {
  const before = Date.now()
  const { data, text } = await use('ping', {}, call(store))
  t.match(data, { status: 'ok', server: 'exploration-mcp', version: '1.2.3' })
  t.ok(Date.parse(data.time) >= before)
  t.equal(text, `ok: exploration-mcp 1.2.3, ${data.time}`)
})

t.test('list_workspaces', async (t) => {
  t.test('shows only what the credential can see, on both channels', async (t) => {
    const { data, text } = await use('list_workspaces', {}, call(store, [workspaceId('kiln')]))
    t.match(data.workspaces, [{
      id: workspaceId('kiln'), slug: 'kiln', name: 'Kiln Build Platform', exploration_count: 3
    }])
    t.equal(data.workspaces.length, 1)
    t.notOk('next_cursor' in data)
    t.match(text, /"Kiln Build Platform" \(slug kiln, id \S+\), 3 explorations/, 'without the archived one')
  })
  t.test('pages, and the text names the cursor', async (t) => {
    const slugs: string[] = []
    let cursor: string | undefined
    do {
      const { data, text } = await use('list_workspaces', { limit: 1, ...(cursor && { cursor }) }, call(store))
      slugs.push(data.workspaces[0].slug)
      cursor = data.next_cursor
      t.equal(text.includes('More: cursor'), cursor !== undefined)
    } while (cursor)
    t.same(slugs, ['harbour-clinic', 'kiln', 'tillpoint'])
  })
  t.test('a credential without workspaces is told the remedy', async (t) => {
    const { data, text } = await use('list_workspaces', {}, call(store, []))
    t.same(data.workspaces, [])
    t.match(text, /membership/)
  })
})

t.test('find_explorations', async (t) => {
  t.test('says its steps first, then hits with what else there is', async (t) => {
    const { data, text, steps } = await use('find_explorations', { query: 'flaky' }, call(store))
    t.match(steps, [{ kind: 'progress', progress: 1, total: 3 }, { kind: 'progress', progress: 2, total: 3 }])
    t.match(data.explorations, [{
      id: idOf('Quarantine'),
      title: 'Quarantine for flaky tests',
      status: 'exploring',
      workspace: { slug: 'kiln' },
      artifact_types: ['code', 'design'],
      has_plan: true
    }])
    t.match(text, /"Quarantine for flaky tests", exploring, score 0\.\d+, id /)
    t.match(text, /packages: code, design; plan: yes/)
    t.match(text, /\n {2}> .*flaky/, 'the snippet is marked as record text')
  })
  t.test('keeps to the workspace, the status and the pages asked for', async (t) => {
    const one = await use('find_explorations', { query: 'cache tests preview secrets', workspace_id: workspaceId('kiln').toUpperCase(), limit: 3 }, call(store))
    t.match(one.data.explorations, Array.from({ length: 3 }, () => ({ workspace: { slug: 'kiln' } })))
    const two = await use('find_explorations', { query: 'cache tests preview secrets', workspace_id: workspaceId('kiln'), limit: 3, cursor: one.data.next_cursor }, call(store))
    t.same([one.data.explorations.length, two.data.explorations.length], [3, 1])
    t.notOk('next_cursor' in two.data)
    const archived = await use('find_explorations', { query: 'cache tests preview secrets', status: ['archived'] }, call(store))
    t.match(archived.data.explorations, [{ status: 'archived' }])
  })
  t.test('a workspace of others and an unknown one are refused alike, before the first step', async (t) => {
    const find = tools.find(({ name }) => name === 'find_explorations')!
    const refused = (id: string) => finish(find.run({ query: 'x', limit: 1, workspace_id: id } as never, call(store, [workspaceId('tillpoint')])))
      .catch(({ kind, message, data }: Fault) => ({ kind, message, data }))
    const foreign = await refused(workspaceId('kiln'))
    t.match(foreign, { kind: 'forbidden', data: { hint: /list_workspaces.*membership.*credential/ } })
    for (const id of ['00000000-0000-4000-8000-000000000000', 'kiln', '']) t.same(await refused(id), foreign)
  })
  t.test('nothing found says what to try', async (t) => {
    t.match((await use('find_explorations', { query: 'zzz', status: ['draft'] }, call(store))).text, /leave out workspace_id and status/)
    t.match((await use('find_explorations', { query: 'zzz' }, call(store, []))).text, /membership/)
  })
  t.test('a NUL never reaches the store', async (t) => {
    const search = { find: async ({ query }: { query: string }) => { t.equal(query, 'a b'); return { items: [] } } }
    await use('find_explorations', { query: 'a\0b' }, call({ ...store, search }))
  })
})

t.test('get_recommendations', async (t) => {
  const id = idOf('One build cache')
  t.test('serves approved ones only, by kind', async (t) => {
    const { data, text } = await use('get_recommendations', { exploration_id: id }, call(store))
    const approved = of(sample, 'recommendation').filter((one) => one.exploration_id === id && one.status === 'approved').map((one) => one.id)
    t.same(new Set(data.recommendations.map((one: { id: string }) => one.id)), new Set(approved))
    t.equal(approved.length, 2)
    t.notMatch(text, /Deduplicate blobs|minutes saved/)
    const { data: strategies } = await use('get_recommendations', { exploration_id: id, kind: 'strategy' }, call(store))
    t.match(strategies.recommendations, [{ kind: 'strategy' }])
    t.equal(strategies.recommendations.length, 1)
  })
  t.test('none is an answer, not an error', async (t) => {
    const { data, text } = await use('get_recommendations', { exploration_id: idOf('Video visits') }, call(store))
    t.same(data.recommendations, [])
    t.match(text, /no approved strategy or recommendation/)
  })
  t.test('long ones are cut and left out aloud', async (t) => {
    const many = Array.from({ length: 6 }, (_, i) => ({
      id: String(i),
      exploration_id: id,
      kind: 'strategy' as const,
      title: 'T',
      body: 'b'.repeat(12_000),
      status: 'approved' as const,
      approved_by: null
    }))
    const { data, text } = await use('get_recommendations', { exploration_id: id, kind: 'strategy' },
      call({ ...store, recommendations: { approved: async () => many } }))
    t.equal(data.recommendations.length + data.recommendations_omitted, 6)
    t.equal(data.cut.length, data.recommendations.length)
    t.match(text, new RegExp(`Not complete.*10000 of 12000.*service://exploration/${id}`))
    t.notOk('approved_by' in data.recommendations[0], 'what is not known is left out')
    const short = Array.from({ length: 1000 }, (_, i) => ({ ...many[0]!, id: String(i), body: 'b' }))
    const { data: first } = await use('get_recommendations', { exploration_id: id },
      call({ ...store, recommendations: { approved: async () => short } }))
    t.same([first.recommendations.length, first.recommendations_omitted], [200, 800])
  })
})

t.test('get_planning_state answers for every state of a plan', async (t) => {
  const states = await Promise.all(of(sample, 'execution_plan').map(async (plan) => {
    const { data, text } = await use('get_planning_state', { exploration_id: plan.exploration_id }, call(store))
    t.equal(data.counts.items.total, plan.items.length)
    t.match(text, new RegExp(`version ${plan.version}, ${plan.compilation_state}`))
    t.equal(data.warning !== undefined, plan.compilation_state === 'stale')
    return data.compilation_state
  }))
  t.equal(new Set(states).size, 5, 'the sample has all of them')
  const { text } = await use('get_planning_state', { exploration_id: idOf('Pay in') }, call(store))
  t.match(text, 'items 14: 7 todo, 2 in_progress, 4 done, 1 blocked')
  t.match(text, 'gates 3: 2 open, 1 passed, 0 failed')
  await t.rejects(use('get_planning_state', { exploration_id: idOf('Rules for shared') }, call(store)), {
    name: 'Refusal', message: /no plan/
  })
})
