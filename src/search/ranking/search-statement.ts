/** The statement of a search: what is named, the nearest in meaning and the best by words, ranked together. */
import { nearestRows, type NearestSearch } from './search-nearest.js'
import type { SearchQuery } from './search-query.js'
import { scopeTables, statementValues, VISIBLE, wantedCondition, WEIGHTS, type Statement } from './search-scope.js'
import { wordsTables } from './search-words.js'
import { SUMMARY } from '../../db/planning/sql-explorations.js'
import { sqlTruncate } from '../../db/sql/sql-truncate.js'

export interface RankedSearch extends Omit<SearchQuery, 'cursorTag'> {
  /** Absent where there are words only. */
  nearest: NearestSearch | undefined
  /** Cosines of what has nothing to do with the query, and of what is just what it asks for. */
  unrelated: number
  related: number
  /** Of the weight of the query's words, what a hit by words alone has to hold. */
  minCoverage: number
  limit: number
}

/** Maximum number of explorations that are looked at closely. */
const MAX_RESCORED = 60

const REFERENCE = "substring(e.url from '/([0-9]{1,9})(?:-[^/]*)?/?$')"

/** What is written in an exploration, but for its title. */
const WRITTEN = `
    select concat_ws(E'\\n\\n',
      (select string_agg(s ->> 'text', E'\\n\\n') from jsonb_array_elements(e.summaries) s),
      (select string_agg(concat_ws(' ', q ->> 'question', q ->> 'answer'), E'\\n\\n')
        from jsonb_array_elements(e.questions) q),
      (select string_agg(p.markdown, E'\\n\\n' order by p.artifact_type)
        from requirement_packages p where p.exploration_id = e.id)) as text offset 0`

/** How a query names an exploration, the surest last. */
const [ALIKE, REFERRED, EXACT] = [1, 2, 3]

export const searchStatement = (search: RankedSearch): Statement => {
  const { values, value } = statementValues()
  const { nearest, scope, phrases } = search
  const isWanted = `e.workspace_id = ${VISIBLE} ${wantedCondition('e', scope, value)}`
  const unrelated = value(search.unrelated, 'float8')
  const related = value(search.related, 'float8')
  const minCoverage = value(search.minCoverage, 'float8')
  const score = value(search.after?.[0] ?? null, 'float8')
  const id = value(search.after?.[1] ?? null, 'uuid')
  const statement = `
  with ${scopeTables(scope, value)},
  nearest as materialized (
    ${nearest ? nearestRows(nearest, value) : 'select null::uuid as id, null::float8 as cosine where false'}
  ), reach as materialized (
    select case when count(*) < ${MAX_RESCORED} then 0
      else (min(cosine) - ${unrelated}) / (${related} - ${unrelated}) end as score
    from (select max(cosine) as cosine from nearest group by id) best
  ), ${wordsTables({ ...scope, text: search.text }, value)},
  query as materialized (
    select sum(weight) as weight, string_agg(query::text, ' | ')::tsquery as any_word from words
  ), found as (
    select id, coalesce(max(coverage), 0) as coverage, max(named) as named,
      least(1, greatest(0, coalesce((max(cosine) - ${unrelated}) / (${related} - ${unrelated}), 0))) as meaning
    from (
      select id, null::float8 as coverage, cosine, 0 as named from nearest
      union all
      select id, coverage, null, 0 from covered
      ${namedRows(search, isWanted, value)}
    ) branches group by id
  ), candidates as materialized (
    select f.id, f.named, f.meaning, c.coverage,
      case when c.coverage >= ${minCoverage} then ts_rank(document, any_word, 32) end as rank,
      ${phrases.length === 0 ? 'false' : quotes(value(phrases, 'text[]'))} as quoted
    from (select * from found order by named desc, 1 - (1 - meaning) * (1 - ${WEIGHTS.words} * coverage ^ 3) desc, id
        limit ${MAX_RESCORED}) f cross join query q cross join seen
      -- Where few are seen, what is known of the words says all of a text with too few of them.
      -- Without its positions a document is small, and read once for all words.
      left join lateral (select document, case when not few then strip(document) end as stems
        from search_documents d where d.exploration_id = f.id
        ${phrases.length === 0 ? `and (not few or f.coverage >= ${minCoverage})` : ''} limit 1) d on true
      cross join lateral (select case when few or q.weight is null then f.coverage
        else coalesce((select sum(w.weight) from words w where stems @@ w.query), 0) / q.weight
        end as coverage offset 0) c
  ), scored as (
    select ranked.id, coverage, round((1e6 * case e.status when 'archived' then ${WEIGHTS.archived} else 1 end *
      case named when ${EXACT} then 1 when ${REFERRED} then ${WEIGHTS.referred} else
      case when quoted then ${WEIGHTS.quoted}::float8 else 0 end +
        case when quoted then ${WEIGHTS.besideQuoted}::float8 else ${WEIGHTS.unnamed} end *
          (1 - (1 - meaning) * (1 - words))
      end)::float8) / 1e6 as score
    from (
      select *, greatest(case named when ${ALIKE} then ${WEIGHTS.alike} else 0 end,
        ${WEIGHTS.words} * coverage ^ 3 * coalesce(rank / nullif(max(rank) over (), 0), 0)) as words
      from candidates
    ) ranked join explorations e on e.id = ranked.id
    where named > 0 or quoted or coverage >= ${minCoverage} or meaning > 0
  ), page as (
    select * from scored where ${score} is null or score < ${score} or (score = ${score} and id > ${id})
    order by score desc, id limit ${value(search.limit, 'int')}
  )
  select ${SUMMARY}, jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name) as workspace,
    page.score, page.coverage, (select json_object_agg(lexeme, weight) from words) as words,
    ${sqlTruncate('written.text')} as text
  from page join explorations e on e.id = page.id and (${isWanted}) is true join workspaces w on w.id = e.workspace_id
    cross join lateral (${WRITTEN}) written
  order by page.score desc, page.id`
  return { statement, values }
}

/** Returns further branches, each after `union all`: what the query names, each way by an index. */
const namedRows = (
  { title, id, reference, mistyped }: RankedSearch, isWanted: string,
  value: ReturnType<typeof statementValues>['value']
): string => {
  const branch = (named: number, condition: string): string =>
    `union all select e.id, null, null, ${named} from explorations e where ${isWanted} and ${condition}`
  return [
    ...(title === undefined ? [] : [branch(EXACT, `lower(e.title) = lower(${value(title, 'text')})`)]),
    ...(id === undefined ? [] : [branch(EXACT, `e.id = ${value(id, 'uuid')}`)]),
    ...(reference === undefined
      ? []
      : [branch(REFERRED, `e.url is not null and ${REFERENCE} = ${value(reference, 'text')}`)]),
    ...(mistyped === undefined
      ? []
      : [branch(ALIKE, `exists (select from words where not known) and ${value(mistyped, 'text')} <% e.title`)])
  ].join('\n      ')
}

const quotes = (phrases: string): string => `
      (select bool_and(numnode(phraseto_tsquery('english', phrase)) > 0
          and d.document @@ phraseto_tsquery('english', phrase))
        from unnest(${phrases}) as phrase)`
