/** Finding by words: full text where any word may match, trigrams of the title for what is mistyped, and names first. */
import { createHash } from 'node:crypto'
import { decodeCursor, encodeCursor } from './cursor.js'
import type { Queryable } from './database.js'
import { SUMMARY } from './explorations.js'
import { pageOf } from './page.js'
import type { Hit, Search } from './store.js'
import { isUuid } from './uuid.js'

// The expression of the index.
const REFERENCE = "substring(e.url from '/([0-9]{1,9})(?:-[^/]*)?/?$')"
// Of the weight of the query's words: who has less fits by accident.
const LEAST_COVERAGE = 0.15

// What a query names comes first: an id or a title (1), a number of an address (0.99), quoted phrases (from 0.9). Else it is the words
// that count, each the more the fewer visible explorations have it. Each branch of `found` reads an index of its own.
const FIND = `
  with question as materialized (
    select lexemes, string_agg(quote_literal(lexeme), ' | ')::tsquery as query,
      (select coalesce(bool_and(numnode(phraseto_tsquery('english', phrase)) > 0), false) from unnest($9::text[]) as phrase) as quotes
    from (select tsvector_to_array(to_tsvector('english', $1)) as lexemes) words left join unnest(lexemes) as lexeme on true
    group by lexemes
  ), found as materialized (
    select e.id from explorations e, question q where e.document @@ q.query and e.workspace_id = any($2::uuid[])
    union select e.id from explorations e where $1 <% e.title and e.workspace_id = any($2::uuid[])
    union select e.id from explorations e where e.id = $7::uuid and e.workspace_id = any($2::uuid[])
    union select e.id from explorations e where ${REFERENCE} = $8 and e.url is not null and e.workspace_id = any($2::uuid[])
  ), words as materialized (
    select lexeme, ln(1 + (select count(*) from explorations where workspace_id = any($2::uuid[]))::float8 / (1 + count(e.id))) as weight
    from question q cross join unnest(q.lexemes) as lexeme
    left join (select f.id, x.document from found f join explorations x on x.id = f.id) e on e.document @@ quote_literal(lexeme)::tsquery
    group by lexeme
  ), candidates as (
    select e.id,
      ts_rank(e.document, q.query, 32) as rank,
      (select coalesce(sum(weight), 0) / greatest((select sum(weight) from words), 1e-9) from words
        where e.document @@ quote_literal(lexeme)::tsquery) as coverage,
      word_similarity($1, e.title) as likeness,
      cardinality(q.lexemes) > 0 and $1 <% e.title as alike,
      lower(e.title) = lower(trim($1)) or e.id = $7::uuid as exact,
      coalesce(${REFERENCE} = $8, false) as named,
      q.quotes and (select bool_and(e.document @@ phraseto_tsquery('english', phrase)) from unnest($9::text[]) as phrase) as quoted
    from found f join explorations e on e.id = f.id cross join question q
    where $3::text[] is null or e.status = any($3)
  ), scored as (
    select id, round((case when exact then 1 when named then 0.99 else
      case when quoted then 0.9 else 0 end + case when quoted then 0.09 else 0.89 end *
        (0.8 * coverage + 0.12 * coalesce(rank, 0) + 0.08 * likeness) end)::numeric, 6)::float8 as score
    from candidates
    where exact or named or quoted or alike or coverage >= ${LEAST_COVERAGE}
  ), page as (
    select * from scored where $4::float8 is null or score < $4 or (score = $4 and id > $5::uuid)
    order by score desc, id limit $6
  )
  select ${SUMMARY}, jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name) as workspace, page.score,
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
    from regexp_split_to_table(passage.text, '(?<=[.!?])\\s+|\\n+') with ordinality as sentences (sentence, place)
    where sentence ~ '\\w'
    order by (select coalesce(sum(weight), 0) from words where to_tsvector('english', sentence) @@ quote_literal(lexeme)::tsquery) desc, place
    limit 1
  ) best on true
  order by page.score desc, page.id`

export const lexicalSearch = (db: Queryable): Search => ({
  async find ({ query, visible, status, limit, cursor, signal }) {
    const tag = `find:${createHash('sha256').update(query).digest('base64url').slice(0, 12)}`
    const text = query.replaceAll('\0', ' ')
    const after = decodeCursor(tag, cursor, isScoreAndId)
    const rows = await db.query<Hit>(FIND,
      [text, visible, status?.length ? status : null, after?.[0] ?? null, after?.[1] ?? null, limit + 1,
        isUuid(text.trim()) ? text.trim() : null, reference(text), phrases(text)], { signal })
    const hits = rows.map((row) => ({ ...row, snippet: row.snippet.replace(/\s+/g, ' ').trim() }))
    return pageOf(hits, limit, ({ score, id }) => encodeCursor(tag, [score, id]))
  }
})

/** "KEP-1287", "kep 1287", "#1287", "1287" → "1287" */
const reference = (query: string): string | null => /^\s*(?:\p{L}{1,10}[\s-]?)?#?(\d{1,9})\s*$/u.exec(query)?.[1]?.replace(/^0+(?=\d)/, '') ?? null

const phrases = (query: string): string[] => [...query.matchAll(/["“„]([^"“”„]+)["“”]/g)].slice(0, 5).map(([, phrase]) => phrase!)

const isScoreAndId = (position: unknown[]): position is [number, string] =>
  position.length === 2 && typeof position[0] === 'number' && typeof position[1] === 'string' && isUuid(position[1])
