// Importing: whatever shape the file has, all of it or nothing.
import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { Refusal } from '../../../src/lib/errors.js'
import { importRecords, type RecordProgress } from '../../../src/importers/records/import-records.js'
import type { Database } from '../../../src/db/sql/database.js'
import { database } from '../../helpers/database.js'
import { of, sample } from '../../helpers/planning.js'

const SAMPLE = new URL('../../../src/planning/sample.ndjson', import.meta.url)
const uuid = (digit: number) => `00000000-0000-4000-8000-${String(digit).padStart(12, '0')}`
const at = '2026-01-01T00:00:00.000Z'

const workspace = { type: 'workspace', id: uuid(1), slug: 'one', name: 'One', created_at: at }
const user = { type: 'user', id: uuid(2), email: 'ada@example.com', name: 'Ada', kind: 'person' }
const membership = { type: 'membership', user_id: uuid(2), workspace_id: uuid(1), role: 'viewer' }
const exploration = {
  type: 'exploration',
  id: uuid(3),
  workspace_id: uuid(1),
  title: 'A title',
  status: 'ready',
  tags: [],
  summaries: [],
  questions: [],
  created_at: at,
  updated_at: at
}
const pack = {
  type: 'requirement_package',
  exploration_id: uuid(3),
  artifact_type: 'design',
  markdown: '# Hi',
  version: 1,
  updated_at: at
}
const plan = {
  type: 'execution_plan',
  exploration_id: uuid(3),
  version: 1,
  compilation_state: 'compiled',
  updated_at: at,
  groups: [{ id: 'g', title: 'G', order: 1 }],
  items: [{ id: 'i', group_id: 'g', title: 'I', status: 'todo', order: 1 }],
  dependencies: [],
  gates: [],
  conflicts: []
}
const recommendation = {
  type: 'recommendation',
  id: uuid(4),
  exploration_id: uuid(3),
  kind: 'strategy',
  title: 'T',
  body: 'B',
  status: 'approved'
}
const whole = [recommendation, plan, pack, exploration, membership, user, workspace]

const fileOf = (records: readonly unknown[] | string | Buffer): string | Buffer =>
  typeof records === 'string' || Buffer.isBuffer(records) ? records : records.map((record) => JSON.stringify(record)).join('\n')

const chunks = (data: string | Buffer, size = 1000): Readable => {
  const bytes = Buffer.from(data)
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size)
  return Readable.from(starts.map((start) => bytes.subarray(start, start + size)))
}

t.test('import', async (t) => {
  const db = await database(t)
  const spoolDir = t.testdir()
  const take = (records: readonly unknown[] | string | Buffer, size?: number) =>
    importRecords(db, chunks(fileOf(records), size), { spoolDir })
  const refused = async (t: Test, records: Parameters<typeof take>[0], reason: RegExp) => {
    const before = await contents(db)
    const error = await take(records).then(() => undefined, (error: unknown) => error)
    t.ok(error instanceof Refusal, 'a refusal')
    t.match((error as Error).message, reason)
    t.strictSame(await contents(db), before, 'what was there is still there')
  }

  await t.test('in any order, and again', async (t) => {
    const { records, total } = await take(whole)
    t.equal(total, 7)
    t.ok(Object.values(records).every(({ created, replaced }) => created === 1 && replaced === 0))
    const before = await contents(db)
    t.ok(Object.values((await take(whole)).records).every(({ created, replaced }) => created === 0 && replaced === 1))
    t.strictSame(await contents(db), before)
  })

  await t.test('gzip, CRLF, a byte order mark, blank lines, odd chunks, no newline at the end', async (t) => {
    const text = whole.map((record) => JSON.stringify({ ...record, ...('title' in record && { title: 'Zürich \u{1F600}' }) })).join('\r\n')
    for (const file of [gzipSync(text), Buffer.from('\ufeff' + text), Buffer.from(`\n\r\n${text}\n \n`)]) {
      for (const size of [1, 7, 100_000]) t.equal((await take(file, size)).total, 7)
    }
    t.equal((await db.query<{ title: string }>('select title from explorations'))[0]!.title, 'Zürich \u{1F600}')
    t.equal((await take('')).total, 0)
  })

  await t.test('the last of several lines with one key counts, and a replaced plan keeps nothing old', async (t) => {
    await take([...whole, { ...plan, version: 3, items: [] }, { ...exploration, title: 'Later' }])
    t.strictSame((await db.query('select title from explorations')), [{ title: 'Later' }])
    t.strictSame(await db.query('select from plan_items'), [])
    await take([plan])
    t.equal((await db.query('select from plan_items')).length, 1)
  })

  await t.test('a bad line refuses the file, with its number, the field and the reason', async (t) => {
    const rows: Array<[unknown[], RegExp]> = [
      [[workspace, { ...exploration, status: 'lost' }], /^Line 2: status must be one of/],
      [[{ ...workspace, extra: 1 }], /^Line 1: extra is not a known field/],
      [[{ ...workspace, type: 'thing' }], /^Line 1: type is one of/],
      [[{ ...workspace, created_at: '2026-13-45T00:00:00Z' }], /^Line 1: created_at is not a time/],
      [[{ ...exploration, workspace_id: uuid(99) }], /^Line 1: workspace_id .*neither in the file nor in the database/],
      [[{ ...membership, user_id: uuid(99) }], /^Line 1: user_id/],
      [[workspace, { ...plan, exploration_id: uuid(99) }], /^Line 2: exploration_id/],
      [[{ ...workspace, id: uuid(9) }], /^Line 1: slug "one" is that of another record/],
      [[user, { ...user, id: uuid(9), email: 'ADA@example.com' }], /^Line 2: email .* in line 1/],
      [[{ ...plan, items: [{ ...plan.items[0], group_id: 'x' }] }], /^Line 1: items\[0\]\.group_id refers to the group "x"/],
      [[{ ...plan, dependencies: [{ item_id: 'i', depends_on: 'x', kind: 'blocks' }] }], /dependencies\[0\]\.depends_on refers to the item "x"/],
      [[{ ...plan, gates: [{ id: 'a', title: 'A', after_group_id: 'x', criteria: [], status: 'open' }] }], /gates\[0\]\.after_group_id/],
      [[{ ...plan, conflicts: [{ id: 'c', item_ids: ['x'], description: 'd', severity: 'low', status: 'open' }] }], /conflicts\[0\]\.item_ids\[0\]/],
      [[{ ...plan, groups: [...plan.groups, ...plan.groups] }], /groups\[1\]\.id repeats "g"/],
      [[{ ...workspace, name: 'a\0b' }], /U\+0000/]
    ]
    for (const [records, reason] of rows) await refused(t, records, reason)
    await refused(t, `${JSON.stringify(workspace)}\n{"type":`, /^Line 2: the line is not JSON/)
    await refused(t, '[]', /^Line 1: the line is not a JSON object/)
    await refused(t, Buffer.concat([Buffer.from(JSON.stringify(workspace)), Buffer.from([0x0a, 0x22, 0xff, 0x22])]), /^Line 2: the line is not UTF-8/)
    await refused(t, gzipSync(JSON.stringify(workspace)).subarray(0, 40), /damaged/)
    const wrong = (field: (index: number) => string) => Array.from({ length: 50 }, (_, index) => ({ ...workspace, [field(index)]: 1 }))
    await refused(t, wrong((index) => index % 2 === 0 ? 'name' : 'slug'), /^(Line \d+: .*\n){20}Nothing was imported/)
    await refused(t, wrong(() => 'name'), /^Line 1 and at least 19 more: name must be a string\. Nothing was imported\.$/)
  })

  await t.test('a line has an end', async (t) => {
    await t.rejects(importRecords(db, Readable.from((function * () { for (;;) yield Buffer.alloc(1024 * 1024, 0x20) })()), { spoolDir }), /Line 1 is longer/)
  })

  await t.test('the sample, with progress; nothing is left beside it', async (t) => {
    const steps: RecordProgress[] = []
    const { total } = await importRecords(db, createReadStream(SAMPLE), {
      spoolDir, onProgress: (step) => { steps.push(step) }
    })
    t.equal(total, (await readFile(SAMPLE, 'utf8')).trim().split('\n').length)
    t.match(steps.filter(({ phase }) => phase === 'writing').at(-1), { done: total, total })
    const explorations = of(sample, 'exploration').length
    t.match(steps.at(-1), { phase: 'indexing', done: explorations, total: explorations })
    t.strictSame(await readdir(spoolDir), [])
  })
})

const contents = async (db: Database) => Promise.all(
  ['workspaces', 'users', 'memberships', 'explorations', 'requirement_packages', 'execution_plans', 'plan_items', 'recommendations']
    .map((table) => db.query(`select * from ${table} order by 1, 2`)))
