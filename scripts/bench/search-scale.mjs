// npm run bench:search -- --from FILE: find_explorations over very many explorations, recombined from an import file, for a caller who sees
// one workspace of many and for one who sees all: how many of the ten that an exact search finds, how long beside the bare nearest-ten
// statement in interleaved rounds of one run, prepared like ours and not, and whether any statement scans a whole table. On PGlite; and where TEST_DATABASE_URL is
// given (node scripts/services/run.mjs npm run bench:search …) on PostgreSQL with ten times as many. First, how fast the file itself is imported.
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../../.test-build/src/config.js'
import { importRecords } from '../../.test-build/src/importers/records/import-records.js'
import { createEmbedderRegistry } from '../../.test-build/src/search/embedder-registry.js'
import { openEmbedderPool } from '../../.test-build/src/search/embedder-pool.js'
import { createHybridSearch } from '../../.test-build/src/search/hybrid-search.js'
import { createIndexer } from '../../.test-build/src/search/indexer.js'
import { migrate } from '../../.test-build/src/db/migrate.js'
import { openPglite } from '../../.test-build/src/db/pglite.js'
import { openPostgres } from '../../.test-build/src/db/postgres.js'
import { sqlVectorStore } from '../../.test-build/src/db/vector-store.js'
import { sqlSearch } from '../../.test-build/src/db/sql-search.js'
import { updateTsvectors } from '../../.test-build/src/db/update-tsvectors.js'
import { vectorText } from '../../.test-build/src/db/pgvector.js'
import { loadExplorations } from './load-explorations.mjs'
import { numbered, readDonors, seeded } from './recombine.mjs'

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    explorations: { type: 'string', default: '100000' },
    embedded: { type: 'string', default: '10000' },
    workspaces: { type: 'string', default: '50' },
    questions: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '3' },
    plans: { type: 'boolean', default: false }
  }
})
if (values.from === undefined) throw new Error('--from FILE: an import file, plain or gzip')

const TABLES = ['explorations', 'search_documents', 'exploration_vectors']
const workspaces = Number(values.workspaces)
const donors = await readDonors(values.from)
const embedders = openEmbedderPool(readConfig({}, {}))
const { embedder } = await embedders.configured()

/** What the database is asked, so that the same can be explained, and how long it takes. */
const listening = (db) => {
  const ear = { heard: [], ranking: 0 }
  const query = async (text, parameters = [], options) => {
    ear.heard.push([text, parameters])
    let rows
    const took = await timed(async () => { rows = await db.query(text, parameters, options) })
    if (text.includes('candidates')) ear.ranking = took
    return rows
  }
  return { ear, db: { ...db, query } }
}

/** The product's search as the server has it, without remembering answers. */
const productOn = (db) => {
  const registry = createEmbedderRegistry(sqlVectorStore(db), { ...embedders, reopen: async () => embedder })
  return (question) => createHybridSearch({ sql: sqlSearch(db), registry, engine: embedders.engine }).find(question)
}

const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)]
const timed = async (work) => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Whole tables that a plan reads. */
const scans = (node) => [
  ...(node['Node Type'] === 'Seq Scan' && TABLES.includes(node['Relation Name']) ? [node['Relation Name']] : []),
  ...(node.Plans ?? []).flatMap(scans)
]

const measure = async (name, db, exact, count) => {
  const took = await timed(() => loadExplorations(db, donors, { count, workspaces, random: seeded(7), embedder }))
  const random = seeded(11)
  const questions = Array.from({ length: Number(values.questions) }, (_, n) => {
    const { sentences, title } = donors[Math.floor(random() * donors.length)]
    return n % 3 === 0 ? title : sentences[Math.floor(random() * sentences.length)].split(/\s+/).slice(0, 12).join(' ')
  })
  const nearest = (on) => async (vector, visible) => (await on.query(`
    select exploration_id from exploration_vectors where embedder = 1 and embedding is not null and workspace_id = any($1::uuid[])
    order by embedding::vector(${embedder.dimensions}) <=> $2 limit 10`, [visible, vector])).map(({ exploration_id: id }) => id)
  const everywhere = Array.from({ length: workspaces }, (_, n) => numbered('a', n))
  const rows = []
  for (const [who, visibleFor] of [['one workspace', (n) => [everywhere[n % workspaces]]], ['all workspaces', () => everywhere]]) {
    const { ear, db: overheard } = listening(db)
    const find = productOn(overheard)
    const bare = nearest(db)
    // As a program has it that knows PGlite alone: parsed and planned each time.
    const unprepared = db.pglite && nearest({ query: async (text, given) => (await db.pglite.query(text, given)).rows })
    const times = { find: [], ranking: [], bare: [], unprepared: [] }
    const found = []
    for (let round = 0; round <= Number(values.rounds); round++) {
      for (const [n, query] of questions.entries()) {
        const visible = visibleFor(n)
        const vector = vectorText((await embedder.embed([{ parts: [{ text: query, weight: 1 }] }], { kind: 'query' }))[0])
        const bareTook = await timed(() => bare(vector, visible))
        const unpreparedTook = unprepared ? await timed(() => unprepared(vector, visible)) : NaN
        const findTook = await timed(async () => { found[n] = (await find({ query, visible, limit: 10 })).items.map(({ id }) => id) })
        // The first round warms up.
        if (round === 0) continue
        times.bare.push(bareTook)
        times.unprepared.push(unpreparedTook)
        times.find.push(findTook)
        times.ranking.push(ear.ranking)
      }
    }
    let [same, wanted, sameNear, wantedNear] = [0, 0, 0, 0]
    const exactly = productOn(exact)
    for (const [n, query] of questions.entries()) {
      const visible = visibleFor(n)
      const truth = (await exactly({ query, visible, limit: 10 })).items.map(({ id }) => id)
      wanted += truth.length
      same += truth.filter((id) => found[n].includes(id)).length
      const vector = vectorText((await embedder.embed([{ parts: [{ text: query, weight: 1 }] }], { kind: 'query' }))[0])
      const [near, truly] = [await bare(vector, visible), await nearest(exact)(vector, visible)]
      wantedNear += truly.length
      sameNear += truly.filter((id) => near.includes(id)).length
    }
    const whole = new Set()
    for (const [text, parameters] of ear.heard.filter(([text]) => TABLES.some((table) => text.includes(table))).slice(0, 12)) {
      const [{ 'QUERY PLAN': plan }] = await db.query(`explain (analyze, format json) ${text}`, parameters)
      for (const table of scans((typeof plan === 'string' ? JSON.parse(plan) : plan)[0].Plan)) whole.add(table)
    }
    if (values.plans) {
      const [text, parameters] = ear.heard.find(([text]) => text.includes('candidates'))
      console.log(`${name}, ${who}: ${questions[0]}\n${(await db.query(`explain (analyze, buffers) ${text}`, parameters)).map((row) => row['QUERY PLAN']).join('\n')}\n`)
    }
    rows.push({
      on: `${name}, ${count.toLocaleString('en')}`,
      'caller sees': who,
      'bare nearest ten, ms': median(times.bare).toFixed(1),
      'unprepared, ms': unprepared ? median(times.unprepared).toFixed(1) : '–',
      'ranking statement, ms': median(times.ranking).toFixed(1),
      'times the bare': (median(times.ranking) / median(times.bare)).toFixed(2),
      'whole find with snippets, ms': median(times.find).toFixed(1),
      'times the bare one': (median(times.find) / median(times.bare)).toFixed(2),
      'recall@10': (same / wanted).toFixed(3),
      'of the bare': (sameNear / wantedNear).toFixed(3),
      'scans of whole tables': [...whole].join(', ') || 'none'
    })
  }
  console.error(`${name}: ${count} explorations loaded in ${(took / 1000).toFixed(0)} s`)
  return rows
}

/** The same database without its index of vectors: all distances are counted. */
const withoutIndex = (db) => ({
  ...db,
  query: (text, parameters, options) => db.transaction(async (tx) => {
    await tx.query(`set local enable_indexscan = ${text.includes('exploration_vectors') ? 'off' : 'on'}`)
    return await tx.query(text, parameters, options)
  })
})

const withPglite = async (work) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-search-'))
  const db = await openPglite(join(folder, 'database'))
  try {
    await migrate(db)
    return await work(db)
  } finally {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const withPostgres = async (address, work) => {
  const admin = await openPostgres(address, { connections: 1 })
  const name = `bench_${process.pid}`
  await admin.query(`create database ${name}`)
  const db = await openPostgres(Object.assign(new URL(address), { pathname: `/${name}` }).href, { connections: 2 })
  try {
    await migrate(db)
    return await work(db)
  } finally {
    await db.close()
    await admin.query(`drop database ${name} with (force)`)
    await admin.close()
  }
}

/** Explorations a second, with all other records of the file and what search reads of them. */
const importing = async (db) => {
  const store = sqlVectorStore(db)
  const index = createIndexer({ store, writeWords: (onWords) => updateTsvectors(db, onWords), embedders, registry: createEmbedderRegistry(store, embedders) })
  const before = process.cpuUsage()
  const ms = await timed(async () => {
    await importRecords(db, createReadStream(values.from), { spoolDir: tmpdir(), index: async () => { await Promise.all([index.updateWords(), index.settle()]) } })
  })
  const { user, system } = process.cpuUsage(before)
  await index.close()
  const { explorations } = await store.counts()
  const rate = (spent) => Math.round(explorations * 1000 / spent)
  console.log(`Imported and embedded on PGlite: ${explorations} explorations, ${rate(ms)} a second, ${rate((user + system) / 1000)} a second of CPU time`)
}

await withPglite(importing)
const { TEST_DATABASE_URL: address } = process.env
const table = [
  ...address ? await withPostgres(address, (db) => measure('PostgreSQL', db, withoutIndex(db), Number(values.explorations))) : [],
  ...await withPglite((db) => measure('PGlite', db, withoutIndex(db), Number(values.embedded)))
]
console.table(table)
