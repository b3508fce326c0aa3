// Importing when things go wrong: what the database could not take is found first, and an end half-way is made good by the next run.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { Refusal } from '../../../src/lib/errors.js'
import { importRecords, type RecordProgress } from '../../../src/importers/records/import-records.js'
import type { Database } from '../../../src/db/sql/database.js'
import type { Line } from '../../../src/planning/records.js'
import { keywordSearch } from '../../helpers/find-by-words.js'
import { sqlSearch } from '../../../src/search/ranking/sql-search.js'
import { sqlStore } from '../../../src/db/planning/sql-store.js'
import { database } from '../../helpers/database.js'
import { bytesOf, importLines } from '../../helpers/planning-data.js'
import { numbered } from '../../helpers/planning.js'

const at = '2026-01-01T00:00:00Z'
const workspace = { type: 'workspace', id: numbered(1), slug: 'one', name: 'One', created_at: at } as const
const exploration = (n: number): Line => ({
  type: 'exploration',
  id: numbered(n),
  workspace_id: numbered(1),
  title: `Number ${n}`,
  status: 'draft',
  tags: [],
  summaries: [],
  questions: [],
  created_at: at,
  updated_at: at
})
const many: Line[] = [workspace, ...Array.from({ length: 900 }, (_, n) => exploration(n + 10))]

t.test('what a schema lets pass and a database does not is refused before anything is written', async (t) => {
  const db = await database(t)
  const packaged = {
    type: 'requirement_package',
    exploration_id: numbered(10),
    artifact_type: 'code',
    markdown: '',
    version: 1,
    updated_at: at
  }
  const faulty: Array<[object, RegExp]> = [
    [{ ...workspace, created_at: '2026-02-30T00:00:00Z' }, /created_at is not a time/],
    [{ ...workspace, created_at: '2026-13-01T00:00:00Z' }, /created_at is not a time/],
    [{ ...workspace, created_at: '0000-01-01T00:00:00Z' }, /created_at is not a time/],
    [{ ...workspace, created_at: '9999-12-31T23:59:59.9999Z' }, /created_at is not a time/],
    [{ ...workspace, created_at: '2026-01-01T00:00:00+23:00' }, /created_at is not a time/],
    [{ ...workspace, name: 'a\ud800b' }, /name has U\+0000 or half/],
    [{ ...exploration(10), summaries: [{ kind: 'goal', text: '\0' }] }, /summaries\[0\]\.text has U\+0000/],
    [{ ...packaged, version: 2 ** 31 }, /version must be at most 2147483647/],
    [{ ...exploration(10), questions: [{ id: 'q\u200b1', question: 'Why?', answer: null, status: 'open' }] }, /questions\[0\]\.id has a character that no one sees/]
  ]
  for (const [line, reason] of faulty) {
    await t.rejects(importLines(db, [workspace, exploration(10), line]), { name: 'Refusal', message: reason })
  }
  t.strictSame(await db.query('select from workspaces'), [])
  const fine = [
    { ...workspace, name: 'the text \\u0000, spelt out', created_at: '2024-02-29T23:59:59.999999999+15:59' }, exploration(10), {
      ...packaged, version: 2 ** 31 - 1
    }
  ]
  t.equal((await importLines(db, fine)).total, 3)
  t.match(await sqlStore(db, keywordSearch(sqlSearch(db))).workspaces.get([numbered(1)], numbered(1)), {
    name: 'the text \\u0000, spelt out', created_at: '2024-02-29T08:01:00.000Z'
  })
})

t.test('texts of more different words than a search index holds are imported, and found by their title', async (t) => {
  const db = await database(t)
  const words = (from: number) => Array.from({ length: 49_000 }, (_, n) =>
    String.fromCodePoint(0x20000 + (from + n) % 40_000, 0x4e00 + (n >> 3) % 20_000, 0x20000 + n % 30_000)).join(' ')
  await importLines(db, [workspace, {
    ...exploration(10), title: 'Plenty', summaries: [{ kind: 'goal', text: words(0) }]
  },
  {
    type: 'requirement_package',
    exploration_id: numbered(10),
    artifact_type: 'code',
    markdown: words(1000),
    version: 1,
    updated_at: at
  },
  {
    type: 'requirement_package',
    exploration_id: numbered(10),
    artifact_type: 'design',
    markdown: words(2000),
    version: 1,
    updated_at: at
  }])
  const { items } = await sqlStore(db, keywordSearch(sqlSearch(db))).search.find({
    query: 'plenty', visible: [numbered(1)], limit: 2
  })
  t.strictSame(items.map(({ id }) => id), [numbered(10)])
})

t.test('a run that ends half-way is made good by the next', async (t) => {
  const db = await database(t)
  let transactions = 0
  const mortal: Database = {
    ...db, transaction: (work) => ++transactions > 2 ? Promise.reject(new Error('gone')) : db.transaction(work)
  }
  await t.rejects(importLines(mortal, many), /gone/)
  const half = (await db.query('select from explorations')).length
  t.ok(half > 0 && half < 900, `${half} were written`)
  const { records: { exploration: written } } = await importLines(db, many)
  t.strictSame(written, { created: 900 - half, replaced: half })
})

t.test('others have their turn between two batches', async (t) => {
  const db = await database(t)
  const steps: Array<number | 'other'> = []
  const asked: Array<Promise<unknown>> = []
  const onProgress = ({ phase, done }: RecordProgress): void => {
    if (phase !== 'writing') return
    steps.push(done)
    asked.push(db.query('select 1').then(() => steps.push('other')))
  }
  await importLines(db, many, { spoolDir: t.testdir(), onProgress })
  await Promise.all(asked)
  t.ok(steps.indexOf('other') < steps.indexOf(901), steps.join())
})

t.test('a spool that cannot be written fails the import alone', async (t) => {
  const db = await database(t)
  const spoolDir = t.testdir()
  await t.rejects(importRecords(db, (async function * () {
    for (const folder of readdirSync(spoolDir)) await rm(join(spoolDir, folder), { recursive: true })
    for (const line of many) yield * bytesOf([line])
  })(), { spoolDir }), { code: 'ENOENT' })
  t.strictSame(await db.query('select from workspaces'), [])
})

t.test('a refused file is closed, plain or zipped', async (t) => {
  const db = await database(t)
  for (const zip of [(bytes: Uint8Array) => bytes, gzipSync]) {
    let closed = false
    const source = (async function * () {
      try {
        for (;;) yield zip(Buffer.from('no JSON\n'.repeat(100)))
      } finally {
        closed = true
      }
    })()
    await t.rejects(importRecords(db, source, { spoolDir: t.testdir() }), Refusal)
    await new Promise((resolve) => setImmediate(resolve))
    t.ok(closed)
  }
})

t.test('a small file that unpacks to very much, and more lines or records than there may be, end the import', async (t) => {
  const db = await database(t)
  const spoolDir = t.testdir()
  const limits = { maxBytes: 2_000_000, maxLines: 5000, maxRecords: 10 }
  const refused = (bytes: Uint8Array, message: RegExp) => {
    let read = 0
    const source = (async function * () {
      for (; read < bytes.length; read += 512) yield bytes.subarray(read, read + 512)
    })()
    return t.rejects(importRecords(db, source, { spoolDir, limits }), { name: 'Refusal', message }).then(() => read)
  }
  const newlines = gzipSync(Buffer.alloc(200_000_000, '\n'))
  t.ok(
    await refused(newlines, /more than 5000 lines: split the file\. Nothing was imported/) < newlines.length / 2,
    'the rest is not unpacked'
  )
  await refused(gzipSync(Buffer.alloc(100_000_000, ' ')), /more than 2000000 bytes, unpacked/)
  await refused(Buffer.from(many.slice(0, 12).map((line) => JSON.stringify(line)).join('\n')), /more than 10 records/)
  t.strictSame(await db.query('select from workspaces'), [])
})

t.test('nothing is imported for a client that left while its records were checked', async (t) => {
  const db = await database(t)
  const left = new AbortController()
  const source = (async function * () {
    for (const line of many) {
      yield Buffer.from(`${JSON.stringify(line)}\n`)
      if (line === many[100]) left.abort(new Refusal('gone'))
    }
  })()
  await t.rejects(importRecords(db, source, { spoolDir: t.testdir(), signal: left.signal }), { message: 'gone' })
  t.strictSame(await db.query('select from workspaces'), [])
})
