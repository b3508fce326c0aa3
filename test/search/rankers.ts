/** Rankings that any Postgres could make, and the product's own to hold against them. All answer with the last part of addresses. */
import type { Embedder } from '../../src/search/embedder.js'
import type { Queryable } from '../../src/db/sql/database.js'
import type { Search } from '../../src/planning/store.js'
import { vectorText } from '../../src/db/postgres/pgvector.js'

/** Best first; at most ten count. */
export type Ranker = (query: string) => Promise<string[]>

const SLUG = "substring(e.url from '[^/]+$')"

const slugs = (db: Queryable, statement: string): Ranker => async (query) =>
  (await db.query<{ slug: string }>(statement, [query])).map(({ slug }) => slug)

const ANY = "(select string_agg(quote_literal(lexeme), ' | ')::tsquery from unnest(tsvector_to_array(to_tsvector('english', $1))) lexeme)"

export const anyWord = (db: Queryable): Ranker => slugs(db, `
  select ${SLUG} as slug from explorations e join search_documents d on d.exploration_id = e.id, ${ANY} as any_word (query)
  where d.document @@ query order by ts_rank(d.document, query) desc, e.id limit 10`)

const K1 = 1.2
const B = 0.75

/** Okapi BM25 over the stems of the whole text, counted here. */
export const bm25 = async (db: Queryable): Promise<Ranker> => {
  const rows = await db.query<{ slug: string, lexeme: string, count: number }>(`
    select ${SLUG} as slug, lexeme, cardinality(positions)::int as count
    from explorations e join search_documents d on d.exploration_id = e.id cross join unnest(d.document) order by e.id`)
  const lengths = new Map<string, number>()
  const postings = new Map<string, Array<{ slug: string, count: number }>>()
  for (const { slug, lexeme, count } of rows) {
    lengths.set(slug, (lengths.get(slug) ?? 0) + count)
    postings.set(lexeme, [...postings.get(lexeme) ?? [], { slug, count }])
  }
  const average = [...lengths.values()].reduce((sum, length) => sum + length, 0) / lengths.size
  return async (query) => {
    const [row] = await db.query<{ lexemes: string[] }>("select tsvector_to_array(to_tsvector('english', $1)) as lexemes", [query])
    const scores = new Map<string, number>()
    for (const lexeme of row!.lexemes) {
      const found = postings.get(lexeme) ?? []
      const idf = Math.log(1 + (lengths.size - found.length + 0.5) / (found.length + 0.5))
      for (const { slug, count } of found) {
        const saturated = count * (K1 + 1) / (count + K1 * (1 - B + B * lengths.get(slug)! / average))
        scores.set(slug, (scores.get(slug) ?? 0) + idf * saturated)
      }
    }
    return [...scores].sort(([, one], [, other]) => other - one).map(([slug]) => slug)
  }
}

/** What find_explorations finds. */
export const product = async (db: Queryable, search: Search): Promise<Ranker> => {
  const slugOfId = new Map((await db.query<{
    id: string, slug: string
  }>(`select id, ${SLUG} as slug from explorations e`)).map(({ id, slug }) => [id, slug]))
  const visible = (await db.query<{ id: string }>('select id from workspaces')).map(({ id }) => id)
  return async (query) => (await search.find({ query, visible, limit: 10 })).items.map(({ id }) => slugOfId.get(id)!)
}

/** The nearest by meaning alone, of the vectors that the product keeps. */
export const dense = (db: Queryable, embedder: Embedder): Ranker => async (query) => {
  const [asked] = await embedder.embed([{ parts: [{ text: query, weight: 1 }] }], { kind: 'query' })
  const near = await db.query<{ slug: string }>(`
    select ${SLUG} as slug from exploration_vectors v join explorations e on e.id = v.exploration_id
    where v.embedding is not null group by e.id order by min(v.embedding <=> $1::vector), e.id limit 10`, [vectorText(asked!)])
  return near.map(({ slug }) => slug)
}
