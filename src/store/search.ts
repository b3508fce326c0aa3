/** Finding by words: full text where any word may match, and trigrams of the title for what is mistyped. */
import { createHash } from 'node:crypto'
import { decodeCursor, encodeCursor } from './cursor.js'
import type { Queryable } from './database.js'
import { SUMMARY } from './explorations.js'
import { pageOf } from './page.js'
import type { Hit, Search } from './store.js'
import { isUuid } from './uuid.js'

// Covered words count most, then how prominent they are; a title that is the query comes first.
const FIND = `
  with question as materialized (
    select lexemes, string_agg(quote_literal(lexeme), ' | ')::tsquery as query
    from (select tsvector_to_array(to_tsvector('english', $1)) as lexemes) words left join unnest(lexemes) as lexeme on true
    group by lexemes
  ), candidates as (
    select e.id,
      ts_rank(e.document, q.query, 32) as rank,
      (select count(*)::float8 from unnest(q.lexemes) as lexeme where e.document @@ quote_literal(lexeme)::tsquery)
        / greatest(cardinality(q.lexemes), 1) as coverage,
      word_similarity($1, e.title) as likeness,
      lower(e.title) = lower(trim($1)) or e.id::text = lower(trim($1)) as exact
    from explorations e, question q
    where e.workspace_id = any($2::uuid[]) and ($3::text[] is null or e.status = any($3))
      and (e.document @@ q.query or $1 <% e.title or e.id::text = lower(trim($1)))
  ), scored as (
    select id, round((case when exact then 1 else
      0.75 * coverage + 0.15 * coalesce(rank, 0) + 0.09 * likeness end)::numeric, 6)::float8 as score
    from candidates
  ), page as (
    select * from scored where $4::float8 is null or score < $4 or (score = $4 and id > $5::uuid)
    order by score desc, id limit $6
  )
  select ${SUMMARY}, jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name) as workspace, page.score,
    ts_headline('english', coalesce(passage.text, e.title), coalesce(q.query, ''::tsquery),
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
  order by page.score desc, page.id`

export const lexicalSearch = (db: Queryable): Search => ({
  async find ({ query, visible, status, limit, cursor, signal }) {
    const tag = `find:${createHash('sha256').update(query).digest('base64url').slice(0, 12)}`
    const after = decodeCursor(tag, cursor, isScoreAndId)
    const rows = await db.query<Hit>(FIND,
      [query.replaceAll('\0', ' '), visible, status?.length ? status : null, after?.[0] ?? null, after?.[1] ?? null, limit + 1], { signal })
    const hits = rows.map((row) => ({ ...row, snippet: row.snippet.replace(/\s+/g, ' ').trim() }))
    return pageOf(hits, limit, ({ score, id }) => encodeCursor(tag, [score, id]))
  }
})

const isScoreAndId = (position: unknown[]): position is [number, string] =>
  position.length === 2 && typeof position[0] === 'number' && typeof position[1] === 'string' && isUuid(position[1])
