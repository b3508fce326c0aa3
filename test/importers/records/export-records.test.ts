// What is exported and imported into an empty database answers every tool and resource as before, and is exported to the same bytes.
import { tmpdir } from 'node:os'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Database } from '../../../src/db/sql/database.js'
import { exportRecords, type ExportSelection } from '../../../src/importers/records/export-records.js'
import { importRecords } from '../../../src/importers/records/import-records.js'
import { linesOf, workspaceIdOf, workspaceRecord, type ExplorationRecords } from '../../../src/importers/records/to-records.js'
import { FORMATS } from '../../../src/importers/types.js'
import { build, modern } from '../../helpers/build.js'
import { database, sampleDatabase } from '../../helpers/database.js'
import { readingTools } from '../../helpers/reading-tools.js'
import { ALPHA, alphaLine, bytesOf, explorationLine, importLines, userLine } from '../../helpers/planning-data.js'
import { planLines } from '../../helpers/writing.js'
import { imported } from '../imported.js'
import { ONE_OF_EACH_FORMAT } from '../one-of-each-format.js'

const exported = async (db: Database, selection: ExportSelection = { people: true }): Promise<object[]> => {
  let text = ''
  for await (const page of exportRecords(db, selection)) text += page
  return text.trimEnd().split('\n').map((line) => JSON.parse(line) as object)
}

const packageLine = (exploration: string, type: string, markdown: string) =>
  ({ type: 'requirement_package', exploration_id: exploration, artifact_type: type, markdown, version: 1, updated_at: '2026-01-01T00:00:00Z' })

// eslint-disable-next-line typescript/no-explicit-any -- JSON of many shapes
type Json = Record<string, any>
const NO_LIMITS = { rateLimitReadPerMinute: '1000000', rateLimitReadPerDay: '1000000' }

/** What is asked, as JSON, with its answer: of the tools that read and of the resources, about all that there is, page by page. */
const answersOf = async (db: Database): Promise<Map<string, Json>> => {
  const { app, key } = await build(t, NO_LIMITS, [], db)
  const answers = new Map<string, Json>()
  const ask = async (method: string, params: Json): Promise<Json> => {
    const { result } = (await modern<Json>(app, key, method, params)).body
    answers.set(JSON.stringify([method, params]), result)
    return result
  }
  const call = async (name: string, args: Json = {}): Promise<void> => {
    const { structuredContent: { next_cursor: cursor, next_offset: offset } = {} as Json } = await ask('tools/call', { name, arguments: args })
    if (cursor ?? offset) await call(name, { ...args, ...cursor && { cursor }, ...offset && { offset } })
  }
  const listed = async (uri: string): Promise<Json> => JSON.parse((await ask('resources/read', { uri }))['contents'][0].text)
  const explorations: Json[] = []
  for (const { id } of (await listed('service://workspaces'))['workspaces']) {
    explorations.push(...(await listed(`service://workspace/${id}/explorations`))['explorations'])
  }
  await call('list_workspaces')
  for (const { title } of explorations.slice(0, 5)) await call('find_explorations', { query: title })
  for (const { id, artifact_types: types } of explorations) {
    for (const name of ['get_exploration', 'get_planning_state', 'get_planning_full', 'get_recommendations']) await call(name, { exploration_id: id })
    for (const type of types) await call('get_requirement_package', { exploration_id: id, artifact_type: type })
    for (const path of ['', ...types.map((type: string) => `/artifact/${type}`)]) await ask('resources/read', { uri: `service://exploration/${id}${path}` })
  }
  for (const { name } of readingTools) if (name !== 'ping') t.match([...answers.keys()].join(), `"name":"${name}"`)
  return answers
}

t.test('the sample and plans of every format', async (t) => {
  const all: ExplorationRecords[] = []
  for (const { files, path } of ONE_OF_EACH_FORMAT) all.push(...(await imported(t, files, path === undefined ? {} : { path })).all)
  t.same([...new Set(all.map(({ format }) => format)), 'ndjson'].sort(), [...FORMATS].sort(), 'one of each')
  const db = await sampleDatabase(t)
  const users = await db.query<{ id: string }>('select id::text as id from users')
  await importLines(db, [
    workspaceRecord('team', '2026-01-01T00:00:00.000Z'),
    ...users.map(({ id }) => ({ type: 'membership', user_id: id, workspace_id: workspaceIdOf('team'), role: 'viewer' })),
    ...all.flatMap(linesOf)
  ])
  const lines = await exported(db)
  const other = await database(t)
  t.equal((await importLines(other, lines)).total, lines.length)
  t.same(await exported(other), lines, 'exported again to the same lines')
  const [before, after] = [await answersOf(db), await answersOf(other)]
  t.same([...after.keys()], [...before.keys()], 'the same is asked')
  for (const [request, answer] of before) {
    // The whole list of passed comparisons would be longer than what is compared.
    if (JSON.stringify(after.get(request)) !== JSON.stringify(answer)) t.same(after.get(request), answer, request)
  }
})

t.test('what is archived or deactivated stays so, and an import again changes neither', async (t) => {
  const db = await sampleDatabase(t)
  await db.query("update workspaces set archived_at = '2026-02-03T04:05:06Z' where slug = 'kiln'")
  const [user] = await db.query<{ id: string }>("update users set deactivated_at = '2026-02-03T04:05:06Z' where id = (select min(id::text)::uuid from users) returning id")
  const other = await database(t)
  const lines = await exported(db)
  await importLines(other, lines)
  const state = 'select (select array_agg(slug) from workspaces where archived_at is not null) as archived, (select array_agg(id) from users where deactivated_at is not null) as deactivated'
  t.same(await other.query(state), [{ archived: ['kiln'], deactivated: [user!.id] }])
  await other.query('update users set deactivated_at = null')
  await other.query('update workspaces set archived_at = null')
  await importLines(other, lines)
  t.same(await other.query(state), [{ archived: null, deactivated: null }])
})

t.test('what agents wrote: revision, acceptance, evidence, and questions with who asked', async (t) => {
  const item = {
    revision: 4,
    acceptance: [{ text: 'It pays', met: true }],
    evidence: [{ kind: 'commit', ref: 'abc', summary: 'Pays' }],
    repository: 'https://example.com/shop',
    source: { path: 'specs/1/tasks.md', line: 7 }
  }
  const lines = planLines([{ id: 'a', ...item }, { id: 'b', revision: 1 }], [], {}, {
    questions: [
      { id: 'q1', question: 'How?', answer: null, status: 'open' },
      {
        id: 'q2',
        question: 'When?',
        answer: 'Now',
        status: 'answered',
        item_id: 'a',
        asked_by: 'an agent',
        answered_by: 'ada@example.com',
        created_at: '2026-11-02T03:04:05.000Z',
        answered_at: '2026-11-03T03:04:05.000Z'
      }
    ]
  })
  const db = await database(t)
  await importLines(db, lines)
  await db.query('update questions set position = 1000000 where id = $1', ['q2'])
  const found = await exported(db)
  t.same(found, lines)
  const other = await database(t)
  await importLines(other, found)
  t.same(await exported(other), lines)
})

t.test('people only when asked for; a workspace alone, with its members', async (t) => {
  const db = await sampleDatabase(t)
  const types = async (selection: ExportSelection) => {
    const lines = await exported(db, selection) as Array<{ type: string, id: string, workspace_id?: string, user_id?: string }>
    return { lines, types: [...new Set(lines.map(({ type }) => type))] }
  }
  const RECORDS = ['workspace', 'exploration', 'requirement_package', 'execution_plan', 'recommendation']
  t.same((await types({ people: false })).types, RECORDS)
  const [{ id } = { id: '' }] = await db.query<{ id: string }>("select id from workspaces where slug = 'tillpoint'")
  const { lines } = await types({ workspace: id, people: true })
  t.same(new Set(lines.flatMap(({ workspace_id: of }) => of ?? [])), new Set([id]))
  const members = await db.query<{ user_id: string }>('select user_id from memberships where workspace_id = $1 order by user_id', [id])
  t.same(lines.filter(({ type }) => type === 'user').map(({ id }) => id), members.map(({ user_id: user }) => user))
  t.equal(lines.filter(({ type }) => type === 'workspace').length, 1)
  const other = await database(t)
  await importLines(other, lines)
  t.same(await exported(other), lines)
})

t.test('the order of packages in a file does not decide what is found', async (t) => {
  const [one, exploration] = [userLine('one'), explorationLine(ALPHA, 'Rooms', 'Rooms for all')]
  // Of all packages together, so much is read for the words.
  const packages = [packageLine(exploration.id, 'design', 'much text '.repeat(25_000)), packageLine(exploration.id, 'code', 'The zebra crossing')]
  const found: unknown[] = []
  for (const ordered of [packages, packages.toReversed()]) {
    const db = await database(t)
    await importLines(db, [
      one, userLine('two'), alphaLine, { type: 'membership', user_id: one.id, workspace_id: ALPHA, role: 'viewer' }, exploration, ...ordered
    ])
    const { app, key } = await build(t, NO_LIMITS, [], db)
    const { body } = await modern<{ result: { structuredContent: unknown } }>(app, key, 'tools/call', {
      name: 'find_explorations', arguments: { query: 'zebra crossing' }
    })
    found.push(body.result.structuredContent)
  }
  t.match(found[0], { explorations: [{ id: exploration.id }] })
  t.same(found[0], found[1])
})

t.test('a page holds some records, however large and however many there are', async (t) => {
  const db = await database(t)
  const large = Array.from({ length: 8 }, (_, n) => explorationLine(ALPHA, `Large ${n}`, 'x'.repeat(200_000)))
  const packages = large.map(({ id }) => packageLine(id, 'code', 'y'.repeat(200_000)))
  const small = Array.from({ length: 250 }, (_, n) => explorationLine(ALPHA, `Small ${n}`, 'z'))
  await importLines(db, [alphaLine, ...large, ...packages, ...small])
  const pages: string[] = []
  for await (const page of exportRecords(db, { people: true })) pages.push(page)
  t.equal(pages.join('').split('\n').length - 1, 267)
  t.ok(pages.every((page) => page.length < 2 ** 20 + 2 * 400_000), `${Math.max(...pages.map(({ length }) => length))} characters`)
  t.ok(pages.every((page) => page.split('\n').length <= 202))
})

t.test('what is written meanwhile leaves no line that refers to nothing', async (t) => {
  const db = await sampleDatabase(t)
  const lines: object[] = []
  let pages = 0
  for await (const page of exportRecords(db, { people: true })) {
    lines.push(...page.trimEnd().split('\n').map((line) => JSON.parse(line) as object))
    pages++
    const workspace = randomUUID()
    const late = explorationLine(workspace, 'Late', 'late', { id: 'ffffffff-0000-4000-8000-000000000000' })
    if (pages > 1) continue
    await importLines(db, [{ type: 'workspace', id: workspace, slug: 'late', name: 'Late', created_at: '2026-01-01T00:00:00Z' }, late])
    await db.query('insert into memberships select id, $1, $2 from users', [workspace, 'viewer'])
  }
  t.ok(pages > 2)
  await t.resolves(importRecords(await database(t), bytesOf(lines), { spoolDir: tmpdir() }))
})
