// What is exported and imported into an empty database is there with every row and column, and is exported to the same bytes.
import { tmpdir } from 'node:os'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import type { Database } from '../../../src/db/sql/database.js'
import { exportRecords, type ExportSelection } from '../../../src/importers/records/export-records.js'
import { importRecords } from '../../../src/importers/records/import-records.js'
import { database, sampleDatabase } from '../../helpers/database.js'
import { planning } from '../../helpers/planning.js'
import { ALPHA, alphaLine, bytesOf, explorationLine, importLines, textOf } from '../../helpers/planning-data.js'
import { planLines } from '../../helpers/writing.js'

const exported = async (db: Database, selection: ExportSelection = { people: true }): Promise<object[]> => {
  let text = ''
  for await (const page of exportRecords(db, selection)) text += page
  return text.trimEnd().split('\n').map((line) => JSON.parse(line) as object)
}

const packageLine = (exploration: string, type: string, markdown: string) =>
  ({ type: 'requirement_package', exploration_id: exploration, artifact_type: type, markdown, version: 1, updated_at: '2026-01-01T00:00:00Z' })

const TABLES = ['workspaces', 'users', 'memberships', 'explorations', 'questions', 'requirement_packages', 'execution_plans', 'plan_groups', 'plan_items',
  'plan_dependencies', 'plan_gates', 'plan_conflicts', 'recommendations', 'search_documents']

/** Every column of every record; a question that nobody asked here was made when it was imported. */
const contentOf = async (db: Database): Promise<string> => (await Promise.all(TABLES.map((table) =>
  db.query(`select (to_jsonb(t) - 'created_at')::text as row from ${table} t order by 1`)))).flat().map(({ row }) => row).join('\n')

/** An import into an empty database. */
const copyOf = async (t: Test, lines: readonly object[]): Promise<Database> => {
  const other = await database(t)
  t.equal((await importLines(other, lines)).total, lines.length)
  t.equal(textOf(await exported(other)), textOf(lines), 'exported again to the same lines')
  return other
}

t.test('the sample, and what agents wrote: revision, acceptance, evidence, and questions with who asked', async (t) => {
  const item = {
    revision: 4,
    acceptance: [{ text: 'It pays', met: true }],
    evidence: [{ kind: 'commit', ref: 'abc', summary: 'Pays' }],
    repository: 'https://example.com/shop',
    source: { path: 'specs/1/tasks.md', line: 7 }
  }
  const written = planLines([{ id: 'a', ...item }, { id: 'b', revision: 1 }], [], {}, {
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
  const db = await sampleDatabase(t)
  await importLines(db, written)
  const lines = await exported(db)
  t.same(written.filter((line) => !lines.some((other) => isDeepStrictEqual(line, other))), [])
  t.equal(await contentOf(await copyOf(t, lines)), await contentOf(db))
})

t.test('what is archived or deactivated stays so, and an import again changes neither', async (t) => {
  const db = await sampleDatabase(t)
  await db.query("update workspaces set archived_at = '2026-02-03T04:05:06Z' where slug = 'kiln'")
  const [user] = await db.query<{ id: string }>("update users set deactivated_at = '2026-02-03T04:05:06Z' where id = (select min(id::text)::uuid from users) returning id")
  const lines = await exported(db)
  const other = await copyOf(t, lines)
  const state = 'select (select array_agg(slug) from workspaces where archived_at is not null) as archived, (select array_agg(id) from users where deactivated_at is not null) as deactivated'
  t.same(await other.query(state), [{ archived: ['kiln'], deactivated: [user!.id] }])
  await other.query('update users set deactivated_at = null')
  await other.query('update workspaces set archived_at = null')
  await importLines(other, lines)
  t.same(await other.query(state), [{ archived: null, deactivated: null }])
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
  await copyOf(t, lines)
})

t.test('the order of packages in a file does not decide what is found', async (t) => {
  const exploration = explorationLine(ALPHA, 'Rooms', 'Rooms for all')
  // Of all packages together, so much is read for the words.
  const packages = [packageLine(exploration.id, 'design', 'much text '.repeat(25_000)), packageLine(exploration.id, 'code', 'The zebra crossing')]
  for (const ordered of [packages, packages.toReversed()]) {
    const { search } = await planning(t, [alphaLine, exploration, ...ordered] as never)
    t.match((await search.find({ query: 'zebra crossing', visible: [ALPHA], limit: 1 })).items, [{ id: exploration.id }])
  }
})

t.test('a page holds some records, however large and however many there are', async (t) => {
  const db = await database(t)
  const large = Array.from({ length: 4 }, (_, n) => explorationLine(ALPHA, `Large ${n}`, 'x'.repeat(200_000)))
  const packages = large.map(({ id }) => packageLine(id, 'code', 'y'.repeat(200_000)))
  const small = Array.from({ length: 250 }, (_, n) => explorationLine(ALPHA, `Small ${n}`, 'z'))
  await importLines(db, [alphaLine, ...large, ...packages, ...small])
  const pages: string[] = []
  for await (const page of exportRecords(db, { people: true })) pages.push(page)
  t.equal(pages.join('').split('\n').length - 1, 259)
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
