// The least that find_explorations may do on a hosted server: the backend of the product, whose search embeds the question and sends the bare
// statement for the ten nearest vectors, no words, no ranking, no snippets. Of a hit it reads the id; all else that a reply shows is constant.
import { openEmbedderPool } from '../../.test-build/src/search/embedder-pool.js'
import { backendOn } from '../../.test-build/src/server/backend.js'
import { vectorBytes } from '../../.test-build/src/db/pgvector.js'
import { sqlStore } from '../../.test-build/src/db/sql-store.js'

const WORKSPACE = { id: 'a0000000-0000-4000-8000-000000000000', slug: 'w1', name: 'Workspace 1' }
const HIT = {
  workspace_id: WORKSPACE.id,
  title: 'An exploration',
  status: 'draft',
  tags: [],
  updated_at: '2026-01-01T00:00:00.000Z',
  artifact_types: [],
  has_plan: false,
  workspace: WORKSPACE,
  snippet: ''
}

/** The statement of the bare route. */
export const nearestStatement = (dimensions) => `select exploration_id from exploration_vectors
  where embedder = 1 and embedding is not null and workspace_id = any($1::uuid[])
  order by embedding::vector(${dimensions}) <=> $2 limit 10`

const nearestTen = (db, embedders) => ({
  async find ({ query, visible, signal, caller }) {
    const { embedder } = await embedders.configured()
    const [vector] = await embedder.embed([{ parts: [{ text: query, weight: 1 }] }], { kind: 'query', signal })
    const rows = await db.query(nearestStatement(embedder.dimensions), [visible, vectorBytes(vector)], { signal, caller })
    return { items: rows.map(({ exploration_id: id }) => ({ ...HIT, id, score: 1 })) }
  }
})

/** The product's backend on this database, with that search. */
export const floorBackend = async (db, config) => {
  const embedders = openEmbedderPool(config)
  const backend = await backendOn(db, config, undefined, embedders)
  return { ...backend, store: sqlStore(db, nearestTen(db, embedders)) }
}
