// What `npm run bench:hosted-search` asks for and of whom: recombined explorations in PostgreSQL, people who see them, and questions with their vectors.
import { Readable } from 'node:stream'
import { migrate } from '../../.test-build/src/db/migrate.js'
import { vectorText } from '../../.test-build/src/db/pgvector.js'
import { openPostgres } from '../../.test-build/src/db/postgres.js'
import { openBackend } from '../../.test-build/src/server/open-backend.js'
import { readConfig } from '../../.test-build/src/config.js'
import { openEmbedderPool } from '../../.test-build/src/search/embedder-pool.js'
import { call } from './embedded-load.mjs'
import { loadExplorations } from './load-explorations.mjs'
import { numbered, readDonors, seeded } from './recombine.mjs'

const WORKSPACES = 50
const QUESTION_WORDS = 12
const MAX_QUESTION_LENGTH = 300

/** Creates a database of this name beside the one of the address, filled with `count` explorations; answers its address. */
export const fillDatabase = async (address, name, { from, count }) => {
  const admin = await openPostgres(address, { connections: 1 })
  const filled = Object.assign(new URL(address), { pathname: `/${name}` }).href
  const [existing] = await admin.query('select 1 from pg_database where datname = $1', [name])
  if (!existing) await admin.query(`create database ${name}`)
  await admin.close()
  if (existing) return filled
  const embedders = openEmbedderPool(readConfig({}, {}))
  const db = await openPostgres(filled, { connections: 2 })
  await migrate(db)
  const { embedder } = await embedders.configured()
  await loadExplorations(db, await readDonors(from), { count, workspaces: WORKSPACES, random: seeded(7), embedder })
  await Promise.all([db.close(), embedders.close()])
  return filled
}

/** Different questions, titles and parts of sentences, each with its vector as a bare program would send it. */
const questionsOf = async (from, count) => {
  const donors = await readDonors(from)
  const random = seeded(11)
  const one = (list) => list[Math.floor(random() * list.length)]
  const texts = new Set()
  while (texts.size < count) {
    const { title, sentences } = one(donors)
    const [some, others] = [one(sentences), one(sentences)].map((sentence) => sentence.split(/\s+/).slice(0, QUESTION_WORDS))
    // There are fewer titles than questions.
    texts.add((texts.size % 3 === 0 ? `${title} ${some.slice(0, 4).join(' ')}` : random() < 0.5 ? some.join(' ') : others.slice(0, 8).join(' '))
      .slice(0, MAX_QUESTION_LENGTH))
  }
  const embedders = openEmbedderPool(readConfig({}, {}))
  const { embedder } = await embedders.configured()
  const queries = [...texts]
  const vectors = await embedder.embed(queries.map((text) => ({ parts: [{ text, weight: 1 }] })), { kind: 'query' })
  await embedders.close()
  return queries.map((query, n) => ({ query, vector: vectorText(vectors[n]) }))
}

/**
 * The requests of callers who see one workspace each, and of callers who see all, of the product and of the bare route.
 * @param {{ callers: number, questions: number, from: string, runId: string }} options
 */
export const searchRequests = async (env, { callers, questions, from, runId }) => {
  const backend = await openBackend(readConfig(env), undefined)
  const everywhere = Array.from({ length: WORKSPACES }, (_, n) => numbered('a', n))
  const people = [
    ...Array.from({ length: callers }, (_, n) => ({ kind: 'one', n, visible: [everywhere[n % WORKSPACES]] })),
    ...Array.from({ length: callers }, (_, n) => ({ kind: 'all', n, visible: everywhere }))
  ].map((person, n) => ({ ...person, id: `${runId}-0000-4000-8000-${String(n).padStart(12, '0')}` }))
  const records = people.flatMap(({ id, kind, n, visible }) => [
    { type: 'user', id, email: `${kind}-${n}-${runId}@bench.example`, name: `${kind} ${n}`, kind: 'person' },
    ...visible.map((workspace) => ({ type: 'membership', user_id: id, workspace_id: workspace, role: 'viewer' }))
  ])
  await backend.importRecords(Readable.from(records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`))), () => {})
  for (const person of people) person.key = (await backend.credentials.createKey({ user: person.id, name: 'bench', scope: 'read' })).key
  await backend.close()
  const asked = await questionsOf(from, questions)
  const requestsFor = (kind) => {
    const of = people.filter((person) => person.kind === kind)
    const turns = asked.map((question, n) => ({ ...question, ...of[n % of.length] }))
    return {
      product: turns.map(({ key, query }) => call(key, 'find_explorations', { query, limit: 10 })),
      bare: turns.map(({ vector, visible }) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify({ vector, visible }) }))
    }
  }
  return { one: requestsFor('one'), all: requestsFor('all') }
}
