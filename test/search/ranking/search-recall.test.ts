// How many of the ten nearest of an exact comparison a search finds: for callers who see 1, 10, 1,000 and all.
import t from 'tap'
import { sqlSearch } from '../../../src/search/ranking/sql-search.js'
import { dot, normalize } from '../../../src/search/vector.js'
import { vectorText } from '../../../src/db/postgres/pgvector.js'
import { database } from '../../helpers/database.js'
import { runs } from '../../helpers/fuzzing.js'
import { numbered } from '../../helpers/planning.js'

// More than are compared one by one.
const ALL = runs(6000).numRuns
const DIMENSIONS = 48
const TOPICS = 150
const QUERIES = runs(40).numRuns
const MIN_RECALL = 0.99
const SEEN = [1, 10, 1000]

let state = 17
const random = (): number => (state = Math.imul(state, 1103515245) + 12345 >>> 0) / 2 ** 32 - 0.5
const randomVector = (): Float32Array => Float32Array.from({ length: DIMENSIONS }, random)
const topics = Array.from({ length: TOPICS }, randomVector)
/** Near one of the topics, as texts are. */
const vectorOf = (n: number): Float32Array =>
  normalize(randomVector().map((value, axis) => value * 0.7 + topics[n % TOPICS]![axis]!))

t.test('recall of ten', async (t) => {
  const db = await database(t)
  const workspaces = [...SEEN, ALL - SEEN.reduce((sum, count) => sum + count)].map((count, n) => ({ id: numbered(n), count }))
  await db.query(`insert into workspaces (id, slug, name, created_at)
    select id, 'w' || n, 'W ' || n, now() from unnest($1::uuid[]) with ordinality as w (id, n)`, [workspaces.map(({ id }) => id)])
  // Spread over all topics, and over the order in which they were written.
  const explorations = workspaces
    .flatMap(({ id, count }) => Array.from({ length: count }, (_, n) => ({ workspace: id, order: (n + 0.5) / count })))
    .sort((one, other) => one.order - other.order)
    .map(({ workspace }, n) => ({ id: numbered(1000 + n), workspace, vector: vectorOf(n * 7) }))
  await db.query(`insert into explorations (id, workspace_id, title, status, tags, summaries, questions, created_at, updated_at)
    select id, workspace, 'An exploration', 'ready', '[]', '[]', '[]', now(), now() from unnest($1::uuid[], $2::uuid[]) as e (id, workspace)`,
  [explorations.map(({ id }) => id), explorations.map(({ workspace }) => workspace)])
  const [row] = await db.query<{ id: number }>("select adopt_embedder('toy', '1', $1, '{}') as id", [DIMENSIONS])
  await db.query(`insert into exploration_vectors (embedder, exploration_id, chunk, workspace_id, embedding)
    select $1, id, 0, workspace, vector::vector from unnest($2::uuid[], $3::uuid[], $4::text[]) as v (id, workspace, vector)`,
  [row!.id, ...['id', 'workspace'].map((key) => explorations.map((one) => one[key as 'id'])), explorations.map(({ vector }) => vectorText(vector))])
  await db.query('select index_vectors($1::smallint)', [row!.id])
  await db.query('analyze')

  const search = sqlSearch(db)
  const recallFor = async (visible: readonly string[]): Promise<number> => {
    const seen = explorations.filter(({ workspace }) => visible.includes(workspace))
    let [found, wanted] = [0, 0]
    for (let n = 0; n < QUERIES; n++) {
      const vector = vectorOf(n * 11)
      const nearest = seen.map(({ id, vector: other }) => ({ id, cosine: dot(vector, other) }))
        .sort((one, other) => other.cosine - one.cosine).slice(0, 10).map(({ id }) => id)
      // Nothing but stop words: ranked by the vectors alone.
      const { items } = await search.find({
        query: 'of the', visible, limit: 10, queryVector: { embedder: row!.id, dimensions: DIMENSIONS, vector, unrelated: -1, related: 1 }
      })
      found += items.filter(({ id }) => nearest.includes(id)).length
      wanted += nearest.length
    }
    return found / wanted
  }
  const [one, ten, thousand] = workspaces.map(({ id }) => [id])
  for (const [name, visible] of Object.entries({ 1: one!, 10: ten!, 1000: thousand!, all: workspaces.map(({ id }) => id) })) {
    const recall = await recallFor(visible)
    t.comment(`a caller who sees ${name}: ${recall.toFixed(4)}`)
    t.ok(recall >= MIN_RECALL, `${name}: ${recall.toFixed(4)} of at least ${MIN_RECALL}`)
  }
})
