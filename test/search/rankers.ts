/** Rankings that any Postgres could make, and the product's own to hold against them. All answer with the last part of addresses. */
import type { Embedder, EmbeddingText } from '../../src/search/embedder.js'
import type { Queryable } from '../../src/store/database.js'
import type { Exploration, Line } from '../../src/store/records.js'
import type { Search } from '../../src/store/store.js'
import { explorationsOf, packagesOf, slugOf } from './graded-set.js'

/** Best first; at most ten count. */
export type Ranker = (query: string) => Promise<string[]>

const SLUG = "substring(e.url from '[^/]+$')"

const slugs = (db: Queryable, statement: string): Ranker => async (query) =>
  (await db.query<{ slug: string }>(statement, [query])).map(({ slug }) => slug)

const ANY = "(select string_agg(quote_literal(lexeme), ' | ')::tsquery from unnest(tsvector_to_array(to_tsvector('english', $1))) lexeme)"

export const allWords = (db: Queryable): Ranker => slugs(db, `
  select ${SLUG} as slug from explorations e, plainto_tsquery('english', $1) query
  where e.document @@ query order by ts_rank(e.document, query) desc, e.id limit 10`)

export const anyWord = (db: Queryable): Ranker => slugs(db, `
  select ${SLUG} as slug from explorations e, ${ANY} as any_word (query)
  where e.document @@ query order by ts_rank(e.document, query) desc, e.id limit 10`)

/** The usual recipe: reciprocal ranks of words and of trigrams added up. */
export const anyWordAndTrigrams = (db: Queryable): Ranker => slugs(db, `
  with words as (
    select e.id, row_number() over (order by ts_rank(e.document, query) desc, e.id) as place
    from explorations e, ${ANY} as any_word (query) where e.document @@ query
  ), trigrams as (
    select e.id, row_number() over (order by word_similarity($1, e.title) desc, e.id) as place from explorations e where word_similarity($1, e.title) > 0.2
  )
  select ${SLUG} as slug from explorations e left join words using (id) left join trigrams using (id)
  where words.place is not null or trigrams.place is not null
  order by coalesce(1.0 / (60 + words.place), 0) + coalesce(1.0 / (60 + trigrams.place), 0) desc, e.id limit 10`)

const K1 = 1.2
const B = 0.75

/** Okapi BM25 over the stems of the whole text, counted here. */
export const bm25 = async (db: Queryable): Promise<Ranker> => {
  const rows = await db.query<{ slug: string, lexeme: string, count: number }>(`
    select ${SLUG} as slug, lexeme, cardinality(positions)::int as count from explorations e cross join unnest(e.document) order by e.id`)
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
  const slugOfId = new Map((await db.query<{ id: string, slug: string }>(`select id, ${SLUG} as slug from explorations e`)).map(({ id, slug }) => [id, slug]))
  const visible = (await db.query<{ id: string }>('select id from workspaces')).map(({ id }) => id)
  return async (query) => (await search.find({ query, visible, limit: 10 })).items.map(({ id }) => slugOfId.get(id)!)
}

/** The nearest by an embedder alone. */
export const dense = async (embedder: Embedder, lines: readonly Line[]): Promise<Ranker> => {
  const explorations = explorationsOf(lines)
  const slugs = explorations.map(slugOf)
  const vectors = await embedder.embed(explorations.map((exploration) => partsOf(exploration, lines)), { kind: 'document' })
  return async (query) => {
    const [asked] = await embedder.embed([{ parts: [{ text: query, weight: 1 }] }], { kind: 'query' })
    const cosine = (vector: Float32Array): number => vector.reduce((sum, value, axis) => sum + value * asked![axis]!, 0)
    const near = vectors.map((vector, index) => ({ slug: slugs[index]!, likeness: cosine(vector) }))
    return near.sort((one, other) => other.likeness - one.likeness).slice(0, 10).map(({ slug }) => slug)
  }
}

const partsOf = (exploration: Exploration, lines: readonly Line[]): EmbeddingText => {
  const [main, ...others] = exploration.summaries.map(({ text }) => text)
  const rest = [
    ...others,
    ...exploration.tags,
    ...exploration.questions.flatMap(({ question, answer }) => [question, answer ?? '']),
    ...packagesOf(exploration, lines).map(({ markdown }) => markdown)
  ]
  return { parts: [{ text: exploration.title, weight: 4 }, { text: main ?? '', weight: 2 }, ...rest.map((text) => ({ text, weight: 1 }))] }
}
