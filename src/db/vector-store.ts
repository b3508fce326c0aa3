/** Stores vectors per embedder; tracks which are stale. */
import type { Queryable } from './database.js'
import { vectorText } from './vector-text.js'

/** An embedder as the database knows it. */
export interface EmbedderRow {
  id: number
  name: string
  version: string
  dimensions: number
  settings: unknown
  /** Whether it has embedded all that was there when it was adopted. */
  complete: boolean
  /** Cosines, as far as they were measured. */
  unrelated: number | null
  related: number | null
}

/** An exploration whose vectors are behind its texts. */
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
  /** As it was claimed. */
  change: string
  /** The whole, or its beginning, and then its parts; null where nothing is known of a text. */
  vectors: ReadonlyArray<Float32Array | null>
}

export interface IndexCounts { explorations: number, pending: number }

export interface VectorStore {
  /** Makes it the newest: all explorations wait for it, unless it was the newest already. */
  adopt (embedder: { id: string, version: string, dimensions: number }, settings: unknown): Promise<EmbedderRow>
  /** Newest first. */
  embedders (): Promise<EmbedderRow[]>
  counts (): Promise<IndexCounts>
  /** Everything waits again, words and meaning. */
  requeue (): Promise<void>
  /** Takes some that wait, for a while, with so much of each package; nothing when a newer embedder than this was adopted. */
  claim (embedder: number, limit: number, packageCharacters: number): Promise<StaleExploration[]>
  /** Replaces their vectors; one that changed since it was claimed goes on waiting. */
  keep (embedder: number, done: readonly EmbeddedExploration[]): Promise<void>
  /** Makes an index of its vectors as soon as there are so many that it pays. */
  index (embedder: number): Promise<void>
  /** They wait again at once. */
  release (claimed: readonly StaleExploration[]): Promise<void>
  /** Others' vectors go. */
  complete (embedder: number): Promise<void>
  /** Some titles and whole-text vectors, to measure with. */
  sample (embedder: number, limit: number): Promise<Array<{ title: string, vector: Float32Array }>>
  measured (embedder: number, scale: { unrelated: number, related: number }): Promise<void>
}

// Longer than any batch takes; a crash delays what was claimed by as much.
const CLAIM = "interval '2 minutes'"

// How many is part of the statement, so that the planner knows how few they are.
const claimSome = (limit: number): string => `
  with due as (
    select exploration_id from search_queue
    where meaning and claimed_until < now() and $1 = (select id from embedders order by adopted_at desc, id desc limit 1)
    order by claimed_until limit ${limit} for update skip locked
  ), claimed as (
    update search_queue q set claimed_until = now() + ${CLAIM} from due where q.exploration_id = due.exploration_id
    returning q.exploration_id, q.change
  )
  select exploration_id as id, change::text from claimed`

// In a statement of its own: what changes after it was claimed is queued anew, what changed before is seen.
const READ_TEXTS = `
  select e.id, e.title, e.tags, e.summaries, e.questions,
    (select coalesce(jsonb_agg(jsonb_build_object('title', p.title, 'markdown', left(p.markdown, $2)) order by p.artifact_type), '[]')
      from requirement_packages p where p.exploration_id = e.id) as packages
  from explorations e where e.id = any($1::uuid[])`

const KEEP = `
  with done as (
    select * from jsonb_to_recordset($2::jsonb) as x (id uuid, change bigint, vectors jsonb)
  ), gone as (
    delete from exploration_vectors v using done where v.embedder = $1 and v.exploration_id = done.id and v.chunk >= jsonb_array_length(done.vectors)
  ), kept as (
    insert into exploration_vectors (embedder, exploration_id, chunk, workspace_id, embedding)
    select $1, e.id, chunk - 1, e.workspace_id, vector::vector
    from done join explorations e on e.id = done.id cross join jsonb_array_elements_text(vectors) with ordinality as v (vector, chunk)
    on conflict (embedder, exploration_id, chunk) do update set workspace_id = excluded.workspace_id, embedding = excluded.embedding
  )
  update search_queue q set meaning = false from done where q.exploration_id = done.id and q.change = done.change`

const EMBEDDERS = `
  select id, name, version, dimensions, settings, completed_at is not null as complete, unrelated, related
  from embedders order by adopted_at desc, id desc`

export const sqlVectorStore = (db: Queryable): VectorStore => ({
  async adopt ({ id: name, version, dimensions }, settings) {
    await db.query('select adopt_embedder($1, $2, $3, $4)', [name, version, dimensions, JSON.stringify(settings)])
    const adopted = (await db.query<EmbedderRow>(EMBEDDERS)).find((row) => row.name === name && row.version === version)
    if (!adopted) throw new Error('another embedder took its place')
    return adopted
  },

  embedders: () => db.query(EMBEDDERS),

  async counts () {
    const [counts] = await db.query<IndexCounts>(`
      select (select count(*)::int from search_documents) as explorations, (select count(*)::int from search_queue) as pending`)
    return counts!
  },

  async requeue () {
    await db.query('select queue_for_search(array(select id from explorations))')
  },

  async claim (embedder, limit, packageCharacters) {
    const claimed = new Map((await db.query<Pick<StaleExploration, 'id' | 'change'>>(claimSome(limit), [embedder])).map(({ id, change }) => [id, change]))
    if (claimed.size === 0) return []
    const texts = await db.query<Omit<StaleExploration, 'change'>>(READ_TEXTS, [[...claimed.keys()], packageCharacters])
    return texts.map((read) => ({ ...read, change: claimed.get(read.id)! }))
  },

  async keep (embedder, done) {
    const rows = done.map(({ id, change, vectors }) => ({
      id, change, vectors: vectors.map((vector) => vector && vectorText(vector))
    }))
    await db.query(KEEP, [embedder, JSON.stringify(rows)])
  },

  async index (embedder) {
    await db.query('select index_vectors($1)', [embedder])
  },

  async release (claimed) {
    await db.query("update search_queue set claimed_until = '-infinity' where exploration_id = any($1::uuid[])", [claimed.map(({ id }) => id)])
  },

  async complete (embedder) {
    await db.query('select complete_embedder($1)', [embedder])
  },

  async sample (embedder, limit) {
    const rows = await db.query<{ title: string, vector: string }>(`
      select e.title, v.embedding::text as vector from exploration_vectors v join explorations e on e.id = v.exploration_id
      where v.embedder = $1 and v.chunk = 0 and v.embedding is not null order by v.exploration_id limit $2`, [embedder, limit])
    return rows.map(({ title, vector }) => ({ title, vector: Float32Array.from(JSON.parse(vector) as number[]) }))
  },

  async measured (embedder, { unrelated, related }) {
    await db.query('update embedders set unrelated = $2, related = $3 where id = $1', [embedder, unrelated, related])
  }
})
