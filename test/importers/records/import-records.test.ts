// Importing: whatever shape the file has, all of it or nothing; and when things go wrong, the next run makes it good.
import { createReadStream, readdirSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { Refusal } from '../../../src/lib/errors.js'
import { importRecords, type RecordProgress } from '../../../src/importers/records/import-records.js'
import type { Database } from '../../../src/db/sql/database.js'
import { sqlStore } from '../../../src/db/planning/sql-store.js'
import { sqlSearch } from '../../../src/search/ranking/sql-search.js'
import { database } from '../../helpers/database.js'
import { keywordSearch } from '../../helpers/find-by-words.js'
import { numbered, of, sample } from '../../helpers/planning.js'
import { bytesOf, explorationLine, importLines, textOf } from '../../helpers/planning-data.js'

const SAMPLE = new URL('../../../src/planning/sample.ndjson', import.meta.url)
const at = '2026-01-01T00:00:00.000Z'

const workspace = { type: 'workspace', id: numbered(1), slug: 'one', name: 'One', created_at: at }
const user = { type: 'user', id: numbered(2), email: 'ada@example.com', name: 'Ada', kind: 'person' }
const membership = { type: 'membership', user_id: user.id, workspace_id: workspace.id, role: 'viewer' }
const exploration = explorationLine(workspace.id, 'A title', 'Text', { id: numbered(3) })
const pack = { type: 'requirement_package', exploration_id: exploration.id, artifact_type: 'design', markdown: '# Hi', version: 1, updated_at: at }
const plan = {
  type: 'execution_plan',
  exploration_id: exploration.id,
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
  type: 'recommendation', id: numbered(4), exploration_id: exploration.id, kind: 'strategy', title: 'T', body: 'B', status: 'approved'
}
const whole = [recommendation, plan, pack, exploration, membership, user, workspace]
const many = [workspace, ...Array.from({ length: 600 }, (_, n) => explorationLine(workspace.id, `Number ${n}`, 'Text', { id: numbered(n + 10) }))]

const chunks = (data: string | Buffer, size = 1000): Readable => {
  const bytes = Buffer.from(data)
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size)
  return Readable.from(starts.map((start) => bytes.subarray(start, start + size)))
}

t.test('import', async (t) => {
  const db = await database(t)
  const spoolDir = t.testdir()
  const take = (records: readonly object[] | string | Buffer, size?: number) =>
    importRecords(db, chunks(Array.isArray(records) ? textOf(records) : records as string, size), { spoolDir })
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
      for (const size of [1, 100_000]) t.equal((await take(file, size)).total, 7)
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
    const rows: Array<[object[], RegExp]> = [
      [[workspace, { ...exploration, status: 'lost' }], /^Line 2: status must be one of/],
      [[{ ...workspace, extra: 1 }], /^Line 1: extra is not a known field/],
      [[{ ...workspace, type: 'thing' }], /^Line 1: type is one of/],
      [[{ ...workspace, type: ['workspace'] }], /^Line 1: type is one of/],
      [[{ ...workspace, type: { toString: 1, valueOf: 1 } }], /^Line 1: type is one of/],
      [[{ ...workspace, created_at: '2026-13-45T00:00:00Z' }], /^Line 1: created_at is not a time/],
      [[{ ...exploration, workspace_id: numbered(99) }], /^Line 1: workspace_id .*neither in the file nor in the database/],
      [[{ ...membership, user_id: numbered(99) }], /^Line 1: user_id/],
      [[workspace, { ...plan, exploration_id: numbered(99) }], /^Line 2: exploration_id/],
      [[{ ...workspace, id: numbered(9) }], /^Line 1: slug "one" is that of another record/],
      [[user, { ...user, id: numbered(9), email: 'ADA@example.com' }], /^Line 2: email .* in line 1/],
      [[{ ...plan, items: [{ ...plan.items[0], group_id: 'x' }] }], /^Line 1: items\[0\]\.group_id refers to the group "x"/],
      [[{ ...plan, dependencies: [{ item_id: 'i', depends_on: 'x', kind: 'blocks' }] }], /dependencies\[0\]\.depends_on refers to the item "x"/],
      [[{ ...plan, gates: [{ id: 'a', title: 'A', after_group_id: 'x', criteria: [], status: 'open' }] }], /gates\[0\]\.after_group_id/],
      [[{ ...plan, conflicts: [{ id: 'c', item_ids: ['x'], description: 'd', severity: 'low', status: 'open' }] }], /conflicts\[0\]\.item_ids\[0\]/],
      [[{ ...plan, groups: [...plan.groups, ...plan.groups] }], /groups\[1\]\.id repeats "g"/],
      [[{ ...workspace, name: 'a\0b' }], /U\+0000/],
      ...['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.9999Z', '2026-01-01T00:00:00+23:00']
        .map((time): [object[], RegExp] => [[{ ...workspace, created_at: time }], /created_at is not a time/]),
      [[{ ...workspace, name: 'a\ud800b' }], /name has U\+0000 or half/],
      [[{ ...exploration, summaries: [{ kind: 'goal', text: '\0' }] }], /summaries\[0\]\.text has U\+0000/],
      [[{ ...pack, version: 2 ** 31 }], /version must be at most 2147483647/],
      [[{ ...exploration, questions: [{ id: 'q\u200b1', question: 'Why?', answer: null, status: 'open' }] }], /questions\[0\]\.id has a character that no one sees/]
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

  await t.test('what looks like a fault and is none', async (t) => {
    await take([
      { ...workspace, name: 'the text \\u0000, spelt out', created_at: '2024-02-29T23:59:59.999999999+15:59' }, exploration, { ...pack, version: 2 ** 31 - 1 }
    ])
    t.match(await db.query('select name, rfc3339(created_at) as at from workspaces'), [{ name: 'the text \\u0000, spelt out', at: '2024-02-29T08:01:00.000Z' }])
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

t.test('texts of more different words than a search index holds are imported, and found by their title', async (t) => {
  const db = await database(t)
  const words = (from: number) => Array.from({ length: 49_000 }, (_, n) =>
    String.fromCodePoint(0x20000 + (from + n) % 40_000, 0x4e00 + (n >> 3) % 20_000, 0x20000 + n % 30_000)).join(' ')
  await importLines(db, [
    workspace, explorationLine(workspace.id, 'Plenty', words(0), { id: exploration.id }), { ...pack, markdown: words(1000) },
    { ...pack, artifact_type: 'code', markdown: words(2000) }
  ])
  const { items } = await sqlStore(db, keywordSearch(sqlSearch(db))).search.find({
    query: 'plenty', visible: [numbered(1)], limit: 2
  })
  t.strictSame(items.map(({ id }) => id), [exploration.id])
})

t.test('a run that ends half-way is made good by the next, in which others have their turn between two batches', async (t) => {
  const db = await database(t)
  let transactions = 0
  const mortal: Database = {
    ...db, transaction: (work) => ++transactions > 2 ? Promise.reject(new Error('gone')) : db.transaction(work)
  }
  await t.rejects(importLines(mortal, many), /gone/)
  const half = (await db.query('select from explorations')).length
  t.ok(half > 0 && half < 600, `${half} were written`)
  const steps: Array<number | 'other'> = []
  const asked: Array<Promise<unknown>> = []
  const { records: { exploration: written } } = await importLines(db, many, {
    spoolDir: t.testdir(),
    onProgress ({ phase, done }) {
      if (phase !== 'writing') return
      steps.push(done)
      asked.push(db.query('select 1').then(() => steps.push('other')))
    }
  })
  t.strictSame(written, { created: 600 - half, replaced: half })
  await Promise.all(asked)
  t.ok(steps.indexOf('other') < steps.indexOf(many.length), steps.join())
})

t.test('an import that ends before all is checked leaves nothing', async (t) => {
  const db = await database(t)
  const spoolDir = t.testdir()

  await t.test('as its spool cannot be written', async (t) => {
    await t.rejects(importRecords(db, (async function * () {
      for (const folder of readdirSync(spoolDir)) await rm(join(spoolDir, folder), { recursive: true })
      yield * bytesOf(many)
    })(), { spoolDir }), { code: 'ENOENT' })
  })

  await t.test('as its client left', async (t) => {
    const left = new AbortController()
    const source = (async function * () {
      yield * bytesOf(many.slice(0, 100))
      left.abort(new Refusal('gone'))
      yield * bytesOf(many.slice(100))
    })()
    await t.rejects(importRecords(db, source, { spoolDir, signal: left.signal }), { message: 'gone' })
  })

  await t.test('as it is refused: it is closed then, plain or zipped', async (t) => {
    for (const zip of [(bytes: Uint8Array) => bytes, gzipSync]) {
      let closed = false
      const source = (async function * () {
        try {
          for (;;) yield zip(Buffer.from('no JSON\n'.repeat(100)))
        } finally {
          closed = true
        }
      })()
      await t.rejects(importRecords(db, source, { spoolDir }), Refusal)
      await new Promise((resolve) => setImmediate(resolve))
      t.ok(closed)
    }
  })

  await t.test('as it unpacks to very much, or has more lines or records than there may be', async (t) => {
    const limits = { maxBytes: 2_000_000, maxLines: 5000, maxRecords: 10 }
    let read = 0
    const refused = async (bytes: Uint8Array, message: RegExp): Promise<void> => {
      const source = (async function * () {
        for (read = 0; read < bytes.length; read += 512) yield bytes.subarray(read, read + 512)
      })()
      await t.rejects(importRecords(db, source, { spoolDir, limits }), { name: 'Refusal', message })
    }
    // Zipped parts one after another are one file: the same one ten times is quicker than all of it.
    const newlines = Buffer.concat(new Array<Buffer>(10).fill(gzipSync(Buffer.alloc(10_000_000, '\n'))))
    await refused(newlines, /more than 5000 lines: split the file\. Nothing was imported/)
    t.ok(read < newlines.length / 2, 'the rest is not unpacked')
    await refused(gzipSync(Buffer.alloc(10_000_000, ' ')), /more than 2000000 bytes, unpacked/)
    await refused(Buffer.from(textOf(many.slice(0, 12))), /more than 10 records/)
  })
  t.strictSame(await db.query('select from workspaces'), [])
})
