/** Stores vectors per embedder; tracks which are stale. */
import type { Queryable } from '../../db/sql/database.js'
import { vectorText } from '../../db/postgres/pgvector.js'
import type { Scale } from '../embedder.js'

export interface EmbedderRow {
  id: number
  name: string
  version: string
  dimensions: number
  settings: unknown
  /** Whether it has embedded everything that existed when it was adopted. */
  complete: boolean
  /** Measured cosines; null before they are measured. */
  unrelated: number | null
  related: number | null
}

/** An exploration whose vectors are older than its texts. */
export interface StaleExploration {
  id: string
  change: string
  title: string
  tags: string[]
  summaries: Array<{ kind: string, text: string }>
  questions: Array<{ question: string, answer: string | null }>
  packages: Array<{ title: string | null, markdown: string }>
}

export interface EmbeddedExploration {
  id: string
  change: string
  /** The vector of the whole text or its beginning, then those of its parts; null for a text without known words. */
  vectors: ReadonlyArray<Float32Array | null>
}

export type VectorStore = ReturnType<typeof sqlVectorStore>

// Longer than any batch takes. After a crash claimed explorations wait for as long.
const CLAIM = "interval '2 minutes'"

// The limit is part of the text, so that the planner knows it.
const claimSome = (limit: number): string => `
  with due as (
    select exploration_id from search_queue
    where meaning and claimed_until < now()
      and $1 = (select id from embedders order by adopted_at desc, id desc limit 1)
    order by claimed_until limit ${limit} for update skip locked
  ), claimed as (
    update search_queue q set claimed_until = now() + ${CLAIM} from due where q.exploration_id = due.exploration_id
    returning q.exploration_id, q.change
  )
  select exploration_id as id, change::text from claimed`

// A separate statement sees all changes before the claim; later changes are queued again.
const READ_TEXTS = `
  select e.id, e.title, e.tags, e.summaries, e.questions,
    (select coalesce(jsonb_agg(jsonb_build_object('title', p.title, 'markdown', left(p.markdown, $2))
        order by p.artifact_type), '[]')
      from requirement_packages p where p.exploration_id = e.id) as packages
  from explorations e where e.id = any($1::uuid[])`

const KEEP = `
  with done as (
    select * from jsonb_to_recordset($2::jsonb) as x (id uuid, change bigint, vectors jsonb)
  ), gone as (
    delete from exploration_vectors v using done
    where v.embedder = $1 and v.exploration_id = done.id and v.chunk >= jsonb_array_length(done.vectors)
  ), kept as (
    insert into exploration_vectors (embedder, exploration_id, chunk, workspace_id, embedding)
    select $1, e.id, chunk - 1, e.workspace_id, vector::vector
    from done join explorations e on e.id = done.id
      cross join jsonb_array_elements_text(vectors) with ordinality as v (vector, chunk)
    on conflict (embedder, exploration_id, chunk)
      do update set workspace_id = excluded.workspace_id, embedding = excluded.embedding
  )
  update search_queue q set meaning = false from done where q.exploration_id = done.id and q.change = done.change`

const EMBEDDERS = `
  select id, name, version, dimensions, settings, completed_at is not null as complete, unrelated, related
  from embedders order by adopted_at desc, id desc`

/** The vectors on `db`. Several processes may work on the queue at the same time. */
export const sqlVectorStore = (db: Queryable) => ({
  /** Makes it the newest embedder. All explorations are queued for it, unless it was the newest already. */
  async adopt (
    { id: name, version, dimensions }: { id: string, version: string, dimensions: number }, settings: unknown
  ): Promise<EmbedderRow> {
    await db.query('select adopt_embedder($1, $2, $3, $4)', [name, version, dimensions, JSON.stringify(settings)])
    const row = (await db.query<EmbedderRow>(EMBEDDERS)).find((row) => row.name === name && row.version === version)
    if (!row) throw new Error('another embedder took its place')
    return row
  },

  /** Newest first. */
  embedders: () => db.query<EmbedderRow>(EMBEDDERS),

  async counts () {
    const [counts] = await db.query<{ explorations: number, pending: number }>(`
      select (select count(*)::int from explorations) as explorations,
        (select count(*)::int from search_queue) as pending`)
    return counts ?? { explorations: 0, pending: 0 }
  },

  async requeue () {
    await db.query('select queue_for_search(array(select id from explorations))')
  },

  /** Claims queued explorations for a while; `packageCharacters` of each package. None when it is not the newest. */
  async claim (embedder: number, limit: number, packageCharacters: number): Promise<StaleExploration[]> {
    const rows = await db.query<Pick<StaleExploration, 'id' | 'change'>>(claimSome(limit), [embedder])
    const claimed = new Map(rows.map(({ id, change }) => [id, change]))
    if (claimed.size === 0) return []
    const texts = await db.query<Omit<StaleExploration, 'change'>>(READ_TEXTS, [[...claimed.keys()], packageCharacters])
    return texts.map((read) => ({ ...read, change: claimed.get(read.id) ?? '' }))
  },

  /** Replaces their vectors. An exploration that changed since it was claimed stays queued. */
  async keep (embedder: number, embedded: readonly EmbeddedExploration[]) {
    const rows = embedded.map(({ id, change, vectors }) => ({
      id, change, vectors: vectors.map((vector) => vector && vectorText(vector))
    }))
    await db.query(KEEP, [embedder, JSON.stringify(rows)])
  },

  /** Creates the index of its vectors, once there are enough. */
  async index (embedder: number) {
    await db.query('select index_vectors($1)', [embedder])
  },

  async release (claimed: readonly StaleExploration[]) {
    await db.query(
      "update search_queue set claimed_until = '-infinity' where exploration_id = any($1::uuid[])",
      [claimed.map(({ id }) => id)])
  },

  /** Deletes the vectors of other embedders. */
  async complete (embedder: number) {
    await db.query('select complete_embedder($1)', [embedder])
  },

  /** Titles and whole-text vectors, for calibration. */
  async sample (embedder: number, limit: number) {
    const rows = await db.query<{ title: string, vector: string }>(`
      select e.title, v.embedding::text as vector
      from exploration_vectors v join explorations e on e.id = v.exploration_id
      where v.embedder = $1 and v.chunk = 0 and v.embedding is not null
      order by v.exploration_id limit $2`, [embedder, limit])
    return rows.map(({ title, vector }) => ({ title, vector: Float32Array.from(JSON.parse(vector) as number[]) }))
  },

  async setScale (embedder: number, { unrelated, related }: Scale) {
    await db.query('update embedders set unrelated = $2, related = $3 where id = $1', [embedder, unrelated, related])
  }
})
