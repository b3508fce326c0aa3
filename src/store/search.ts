/** Finding: what is named first, then by words and by meaning, in one statement over what the caller may see. */
import { createHash } from 'node:crypto'
import { decodeCursor, encodeCursor } from './cursor.js'
import type { Queryable } from './database.js'
import { SUMMARY } from './explorations.js'
import { pageOf } from './page.js'
import { quotedPhrases, reference } from './search-names.js'
import type { Hit, Page, Search, SearchQuestion } from './store.js'
import { isUuid } from './uuid.js'
import { vectorText } from './vector-text.js'

/** A question as a vector, and the scale of the embedder that made it. */
export interface Meaning {
  /** The embedder's number in the database. */
  embedder: number
  dimensions: number
  vector: Float32Array
  /** The cosine of what has nothing to do with the question; what is no nearer is not found. */
  unrelated: number
  /** The cosine of what is just what the question asks for. */
  related: number
}

export interface SqlSearch {
  /** By words and names alone when `meaning` is absent. */
  find (question: SearchQuestion & { meaning?: Meaning | undefined }): Promise<Page<FoundHit>>
  /** What is to be read of explorations to show why they fit: their beginnings, by id. */
  texts (ids: readonly string[], signal?: AbortSignal): Promise<Map<string, string>>
}

/** A hit, and how much of the question's words its texts hold (0 to 1). */
export type FoundHit = Hit & { coverage: number }

// Of the weight of the question's words: who has less fits by accident, unless it fits by meaning; which words alone cannot tell so well.
const LEAST_COVERAGE = { withMeaning: 0.35, alone: 0.15 }
// Nearest vectors that are looked at, and most explorations by words.
const NEAREST = 200
const MOST_BY_WORDS = 200
// Above this the number of explorations hardly changes what a word weighs.
const COUNTED = 20_000

// The expression of the index.
const REFERENCE = "substring(e.url from '/([0-9]{1,9})(?:-[^/]*)?/?$')"

// Markdown wraps lines inside a sentence: only a blank line, or one that begins a heading, an item, a quote or a row, ends one.
const SENTENCE_ENDS = '(?<=[.!?])\\s+|\\n\\s*\\n|\\n(?=\\s*(?:[-*+#>|]|\\d+[.)]))'

/** The index of an embedder's vectors covers just that embedder, with its dimensions: both are part of the statement. */
const near = ({ embedder, dimensions }: Pick<Meaning, 'embedder' | 'dimensions'>): string => {
  const type = `${dimensions <= 2000 ? 'vector' : 'halfvec'}(${dimensions})`
  return `
    select id, max(cosine) as cosine from (
      select v.exploration_id as id, 1 - (v.embedding::${type} <=> $10::${type}) as cosine
      from exploration_vectors v where v.embedder = ${embedder} and v.embedding is not null and v.workspace_id = any($2::uuid[])
      order by v.embedding::${type} <=> $10::${type} limit ${NEAREST}
    ) nearest group by id`
}

const NOWHERE_NEAR = 'select null::uuid as id, null::float8 as cosine where $10::text is not null'

// Each branch of `found` reads an index of its own. Words weigh the more the fewer visible explorations have them. What stands in the
// texts and what they mean are taken as two reasons, of which either may do: 1 - (1 - words)(1 - meaning).
const statement = (nearest: string): string => `
  with question as materialized (
    select lexemes, string_agg(quote_literal(lexeme), ' | ')::tsquery as query,
      (select coalesce(bool_and(numnode(phraseto_tsquery('english', phrase)) > 0), false) from unnest($9::text[]) as phrase) as quotes
    from (select tsvector_to_array(to_tsvector('english', $1)) as lexemes) words left join unnest(lexemes) as lexeme on true
    group by lexemes
  ), holding as materialized (
    select lexeme, d.exploration_id as id from question q cross join unnest(q.lexemes) as lexeme
    join search_documents d on d.document @@ quote_literal(lexeme)::tsquery and d.workspace_id = any($2::uuid[])
  ), visible as materialized (
    select count(*)::float8 as count from (select from search_documents where workspace_id = any($2::uuid[]) limit ${COUNTED}) counted
  ), words as materialized (
    select lexeme, ln(1 + (select count from visible) / (1 + count(holding.id))) as weight
    from question q cross join unnest(q.lexemes) as lexeme left join holding using (lexeme) group by lexeme
  ), covered as materialized (
    select id, sum(weight) / greatest((select sum(weight) from words), 1e-9) as coverage
    from holding join words using (lexeme) group by id order by coverage desc, id limit ${MOST_BY_WORDS}
  ), near as materialized (${nearest}
  ), found as materialized (
    select id from covered
    union select id from near
    union select e.id from explorations e where $12::text <% e.title and e.workspace_id = any($2::uuid[])
    union select e.id from explorations e where lower(e.title) = lower($11) and e.workspace_id = any($2::uuid[])
    union select e.id from explorations e where e.id = $7::uuid and e.workspace_id = any($2::uuid[])
    union select e.id from explorations e where ${REFERENCE} = $8 and e.url is not null and e.workspace_id = any($2::uuid[])
  ), candidates as (
    select e.id, coalesce(covered.coverage, 0) as coverage,
      least(1, greatest(0, coalesce((near.cosine - $13::float8) / ($14::float8 - $13::float8), 0))) as meaning,
      ts_rank(d.document, q.query, 32) as rank,
      cardinality(q.lexemes) > 0 and coalesce($12::text <% e.title, false) as alike,
      lower(e.title) = lower($11) or coalesce(e.id = $7::uuid, false) as exact,
      coalesce(${REFERENCE} = $8, false) as named,
      q.quotes and (select bool_and(d.document @@ phraseto_tsquery('english', phrase)) from unnest($9::text[]) as phrase) as quoted
    from found join explorations e using (id) join search_documents d on d.exploration_id = e.id
      left join covered using (id) left join near using (id) cross join question q
    where e.workspace_id = any($2::uuid[]) and ($3::text[] is null or e.status = any($3))
  ), scored as (
    select id, coverage, round((case when exact then 1 when named then 0.99 else
      case when quoted then 0.9 else 0 end + case when quoted then 0.09 else 0.89 end * (1 - (1 - meaning) * (1 - words)) end)::numeric, 6)::float8 as score
    from (
      select *, case when alike then greatest(0.3, words_alone) else words_alone end as words
      from (select *, 0.6 * coverage ^ 3 * coalesce(rank / nullif(max(rank) over (), 0), 0) as words_alone from candidates) weighed
    ) weighed
    where exact or named or quoted or alike or coverage >= $15 or meaning > 0
  ), page as (
    select * from scored where $4::float8 is null or score < $4 or (score = $4 and id > $5::uuid)
    order by score desc, id limit $6
  )
  select ${SUMMARY}, jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name) as workspace, page.score, page.coverage,
    ts_headline('english', coalesce(best.sentence, e.title), coalesce(q.query, ''::tsquery),
      'MaxWords=40, MinWords=20, ShortWord=2, StartSel="", StopSel=""') as snippet
  from page join explorations e on e.id = page.id join workspaces w on w.id = e.workspace_id cross join question q
  left join lateral (
    select left(text, 20000) as text from (
      select s ->> 'text' as text, 1 as source from jsonb_array_elements(e.summaries) s
      union all select concat_ws(' ', a ->> 'question', a ->> 'answer'), 2 from jsonb_array_elements(e.questions) a
      union all select p.markdown, 3 from requirement_packages p where p.exploration_id = e.id
    ) passages
    order by ts_rank(to_tsvector('english', left(text, 20000)), q.query) > 0 desc nulls last, source limit 1
  ) passage on true
  left join lateral (
    select sentence
    from regexp_split_to_table(passage.text, '${SENTENCE_ENDS}') with ordinality as sentences (sentence, place)
    where sentence ~ '\\w'
    order by (select coalesce(sum(weight), 0) from words where to_tsvector('english', sentence) @@ quote_literal(lexeme)::tsquery) desc, place
    limit 1
  ) best on true
  order by page.score desc, page.id`

const TEXTS = `
  select e.id, left(concat_ws(E'\n',
    (select string_agg(s ->> 'text', E'\n') from jsonb_array_elements(e.summaries) s),
    (select string_agg(concat_ws(' ', q ->> 'question', q ->> 'answer'), E'\n') from jsonb_array_elements(e.questions) q),
    (select string_agg(left(p.markdown, 4000), E'\n' order by p.artifact_type) from requirement_packages p where p.exploration_id = e.id)), 6000) as text
  from explorations e where e.id = any($1::uuid[])`

export const sqlSearch = (db: Queryable): SqlSearch => ({
  async find ({ query, visible, status, limit, cursor, signal, meaning }) {
    const tag = `find:${createHash('sha256').update(query).digest('base64url').slice(0, 12)}`
    const text = query.replaceAll('\0', ' ')
    const title = text.trim()
    const after = decodeCursor(tag, cursor, isScoreAndId)
    const rows = await db.query<FoundHit>(statement(meaning ? near(meaning) : NOWHERE_NEAR), [
      text, visible, status?.length ? status : null, after?.[0] ?? null, after?.[1] ?? null, limit + 1,
      isUuid(title) ? title : null, reference(text), quotedPhrases(text),
      meaning ? vectorText(meaning.vector) : null, title, title.length <= LONGEST_MISTYPED ? title : null,
      meaning?.unrelated ?? 0, meaning?.related ?? 1, LEAST_COVERAGE[meaning ? 'withMeaning' : 'alone']
    ], { signal })
    const hits = rows.map((row) => ({ ...row, snippet: row.snippet.replace(/\s+/g, ' ').trim() }))
    return pageOf(hits, limit, ({ score, id }) => encodeCursor(tag, [score, id]))
  },

  async texts (ids, signal) {
    const rows = await db.query<{ id: string, text: string }>(TEXTS, [ids], { signal })
    return new Map(rows.map(({ id, text }) => [id, text]))
  }
})

/** Search without an embedder. */
export const wordSearch = (db: Queryable): Search => {
  const sql = sqlSearch(db)
  return {
    async find (question) {
      const { items, ...rest } = await sql.find(question)
      return { items: items.map(({ coverage, ...hit }) => hit), ...rest }
    }
  }
}

// Longer questions are compared with titles by their words alone.
const LONGEST_MISTYPED = 60

const isScoreAndId = (position: unknown[]): position is [number, string] =>
  position.length === 2 && typeof position[0] === 'number' && typeof position[1] === 'string' && isUuid(position[1])
