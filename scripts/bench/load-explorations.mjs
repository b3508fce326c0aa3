// Fills a database with recombined explorations as an import and its indexing would, in bulk: rows, words, vectors, then the index of vectors.
import { vectorText } from '../../.test-build/src/db/pgvector.js'
import { numbered, recombined } from './recombine.mjs'

const BATCH = 1000

export const loadExplorations = async (db, donors, { count, workspaces, random, embedder }) => {
  const embedded = new Map()
  const vectorOf = async (pieces) => {
    const unknown = pieces.map(([text]) => text).filter((text) => !embedded.has(text))
    const vectors = await embedder.embed(unknown.map((text) => ({ parts: [{ text, weight: 1 }] })), { kind: 'document' })
    unknown.forEach((text, place) => embedded.set(text, vectors[place]))
    const sum = new Float32Array(embedder.dimensions)
    for (const [text, weight] of pieces) embedded.get(text).forEach((value, axis) => { sum[axis] += weight * value })
    const length = Math.hypot(...sum)
    return sum.map((value) => value / length)
  }

  const [{ id: its }] = await db.query('select adopt_embedder($1, $2, $3, $4) as id', [embedder.id, embedder.version, embedder.dimensions, '{}'])
  await db.script('alter table explorations disable trigger user')

  await db.query("insert into workspaces (id, slug, name, created_at) select id, 'w' || n, 'Workspace ' || n, now() from unnest($1::uuid[]) with ordinality as w (id, n)",
    [Array.from({ length: workspaces }, (_, n) => numbered('a', n))])
  let batch = []
  const write = async () => {
    const vectors = []
    for (const { pieces } of batch) vectors.push(vectorText(await vectorOf(pieces)))
    await db.query(`
      insert into explorations (id, workspace_id, title, status, tags, url, summaries, questions, created_at, updated_at)
      select id, workspace_id, title, status, tags, url, summaries, questions, created_at, updated_at
      from jsonb_to_recordset($1::jsonb) as x (id uuid, workspace_id uuid, title text, status text, tags jsonb, url text, summaries jsonb, questions jsonb,
        created_at timestamptz, updated_at timestamptz)`, [JSON.stringify(batch)])
    await db.query(`
      insert into search_documents (exploration_id, workspace_id, document)
      select e.id, e.workspace_id, search_document(e.title, concat_ws(' ', e.tags::text, (select string_agg(s ->> 'text', ' ') from jsonb_array_elements(e.summaries) s)),
        (select string_agg(concat_ws(' ', q ->> 'question', q ->> 'answer'), ' ') from jsonb_array_elements(e.questions) q), '')
      from explorations e where e.id = any($1::uuid[])`, [batch.map(({ id }) => id)])
    await db.query(`
      insert into exploration_vectors (embedder, exploration_id, chunk, workspace_id, embedding)
      select $1, id, 0, workspace_id, embedding::vector from unnest($2::uuid[], $3::uuid[], $4::text[]) as v (id, workspace_id, embedding)`,
    [its, batch.map(({ id }) => id), batch.map(({ workspace_id: id }) => id), vectors])
    batch = []
  }
  for (const exploration of recombined(donors, count, workspaces, random)) {
    batch.push(exploration)
    if (batch.length === BATCH) await write()
  }
  if (batch.length > 0) await write()

  await db.script(`set maintenance_work_mem = '512MB'; set statement_timeout = 0; select index_vectors(${its}::smallint); alter table explorations enable trigger user`)
  await db.query('select complete_embedder($1)', [its])
  await db.query('select take_search_census()')
  await db.script('vacuum analyze')
  return its
}
