/** The statement that finds: only the branches that a question calls for, each of which reads an index of its own. */
import { SUMMARY } from './sql-explorations.js'

export interface SearchQuery {
  text: string
  /** Ids of workspaces. */
  visible: readonly string[]
  statuses: readonly string[] | null
  /** Score and id of the last one shown. */
  after: readonly [number, string] | undefined
  limit: number
  /** Of the weight of the question's words, what a hit by words alone has to hold. */
  minCoverage: number
  /** What the question may be, besides a text: an id, the number of an address, a title, a mistyped one, one with quoted phrases. */
  id: string | undefined
  reference: string | undefined
  title: string | undefined
  mistyped: string | undefined
  phrases: readonly string[]
  meaning: { embedder: number, dimensions: number, vector: Uint8Array, unrelated: number, related: number } | undefined
}

// Nearest vectors, most explorations by words, and how many of both are looked at closely.
const MAX_NEAREST = 60
const MAX_BY_WORDS = 60
const MAX_RESCORED = 60
// Among no more explorations each word is counted.
const FEW_EXPLORATIONS = 1000
// All vectors of so many are compared: the index of all, filtered for them, would take longer, the more others there are.
const FEW_VECTORS = `greatest(${FEW_EXPLORATIONS}, 10 * sqrt(explorations))`
// The index of words is asked for each of so few workspaces, and for all at once where there are more.
const FEW_WORKSPACES = 8
const MAX_MATCHES = 3000
const MAX_MATCHES_OVERALL = 200

// Else words weigh by what the caller sees, whatever others have: each is counted.
const FEW_SEEN = `(select count <= ${FEW_EXPLORATIONS} from seen)`

/** What is known of all explorations, so coarse that a score says nothing of a single one that the caller cannot see. */
const toPowerOfTwo = (number: string): string => `power(2, round(log(2, greatest(${number}, 1e-6)::numeric)))`

// The expression of the index.
const REFERENCE = "substring(e.url from '/([0-9]{1,9})(?:-[^/]*)?/?$')"

export const findStatement = (search: SearchQuery): { statement: string, values: unknown[] } => {
  const values: unknown[] = []
  const value = (parameter: unknown, type: string): string => `$${values.push(parameter)}::${type}`
  // Read from a row, so that one plan serves all: to make one for each question takes longer than to answer it.
  const workspaces = '(select workspaces from asked)::uuid[]'
  const visible = `any(${workspaces})`
  // Where an index of workspaces would be the long way, it does not see the condition.
  const seenIn = (table: string): string => `(${table}.workspace_id = ${visible}) is true`
  // Before anything is cut off, so that what is rare is not lost among the others.
  const statuses = search.statuses === null ? '' : value(search.statuses, 'text[]')
  const ofStatus = statuses && `join explorations s on s.id = exploration_id and s.status = any(${statuses})`
  const hasStatus = statuses && `and e.status = any(${statuses})`

  const few = search.visible.length <= FEW_WORKSPACES
  const ofEach = (
    query: string, maxMatches: number, gate = ''
  ): string => `unnest(${workspaces}) as workspace cross join lateral (
        select d.exploration_id from search_documents d where d.document @@ ${query} and d.workspace_id = workspace ${gate} limit ${maxMatches}) holder`
  const holders = (query: string, maxMatches: number): string => few
    ? ofEach(query, maxMatches)
    : `(select exploration_id from ${ofEach(query, maxMatches, `and ${FEW_SEEN}`)} union all
        (select d.exploration_id from search_documents d where not ${FEW_SEEN} and d.document @@ ${query} and ${seenIn('d')} limit ${maxMatches})) holder`

  const { meaning } = search
  const branches = ['select id, coverage, null::float8 as cosine, 0 as named from covered']
  const titled = (condition: string, named: number): string =>
    `select e.id, null, null, ${named} from explorations e where e.workspace_id = ${visible} ${hasStatus} and ${condition}`
  if (meaning) branches.push(...nearest(meaning, `v.workspace_id = ${visible}`, seenIn('v'), ofStatus))
  if (search.title !== undefined) branches.push(titled(`lower(e.title) = lower(${value(search.title, 'text')})`, EXACT))
  if (search.id !== undefined) branches.push(titled(`e.id = ${value(search.id, 'uuid')}`, EXACT))
  if (search.reference !== undefined) branches.push(titled(`e.url is not null and ${REFERENCE} = ${value(search.reference, 'text')}`, REFERRED))
  if (search.mistyped !== undefined) {
    branches.push(
      titled(`exists (select from words where share is null and held_by is null) and ${value(search.mistyped, 'text')} <% e.title`, ALIKE)
    )
  }

  const unrelated = value(meaning?.unrelated ?? 0, 'float8')
  const related = value(meaning?.related ?? 1, 'float8')
  const minCoverage = value(search.minCoverage, 'float8')
  const score = value(search.after?.[0] ?? null, 'float8')
  const id = value(search.after?.[1] ?? null, 'uuid')
  const isQuoted = search.phrases.length === 0 ? 'false' : quotes(value(search.phrases, 'text[]'))
  // Else what is known of its words says it all.
  const isRead = search.phrases.length === 0 ? `and (f.coverage >= ${minCoverage} or commonplace is not null)` : ''

  const statement = `
  with asked as materialized (
    select ${value(search.visible, 'uuid[]')} as workspaces, ${value(search.text, 'text')} as text${meaning ? `, ${value(meaning.vector, 'vector')}::${vectorType(meaning)} as vector` : ''}
  ), census as materialized (
    select explorations, ${FEW_VECTORS} as few_vectors from search_census
  ), seen as materialized (
    select count(*) as count from (select from explorations where workspace_id = ${visible} limit (select few_vectors::bigint + 1 from census)) counted
  ), stems as materialized (
    select stem as lexeme, quote_literal(stem)::tsquery as query, share
    from unnest(tsvector_to_array(to_tsvector('english', (select text from asked)))) as stem left join lateral (
      select ${toPowerOfTwo('share')}::real as share from commonplace_words where lexeme = stem and not ${FEW_SEEN} limit 1
    ) commonplace on true
  ), words as materialized (
    select lexeme, query, share, held_by, ln(1 + size / (1 + coalesce(share * size, cardinality(held_by), 0))) as weight
    from stems left join lateral (select array_agg(exploration_id) as held_by from ${holders('query', MAX_MATCHES)} where share is null) held on true cross join (
      select (case when count <= ${FEW_EXPLORATIONS} then count else greatest(count, (select ${toPowerOfTwo('explorations')} from census)) end)::float8 as size from seen
    ) sizes
  ), question as materialized (
    select sum(weight) as weight, sum(weight) filter (where share is not null) as commonplace, string_agg(query::text, ' | ')::tsquery as any_word,
      case when count(share) > 1 or count(held_by) = 0 then (string_agg(query::text, ' & ') filter (where share is not null))::tsquery end as all_commonplace
    from words
  ), covered as (
    select exploration_id as id, sum(held.weight) / (select weight from question) as coverage
    from (
      select exploration_id, weight from words cross join lateral unnest(held_by) as exploration_id
      union all
      select exploration_id, commonplace from question cross join lateral ${holders('all_commonplace', MAX_MATCHES_OVERALL)} where all_commonplace is not null
    ) held ${ofStatus}
    group by exploration_id order by coverage desc, exploration_id limit ${MAX_BY_WORDS}
  ), found as (
    select id, coalesce(max(coverage), 0) as coverage, max(named) as named,
      least(1, greatest(0, coalesce((max(cosine) - ${unrelated}) / (${related} - ${unrelated}), 0))) as meaning
    from (
      ${branches.join('\n      union all ')}
    ) branches group by id
  ), candidates as materialized (
    select f.id, f.named, f.meaning, c.coverage, case when c.coverage >= ${minCoverage} then ts_rank(document, any_word, 32) end as rank, ${isQuoted} as quoted
    from (select * from found order by named desc, 1 - (1 - meaning) * (1 - 0.6 * coverage ^ 3) desc, id limit ${MAX_RESCORED}) f cross join question q
      left join lateral (select document from search_documents d where d.exploration_id = f.id ${isRead} limit 1) d on true
      cross join lateral (select case when commonplace is null then f.coverage
        else coalesce((select sum(w.weight) from words w where document @@ w.query), 0) / q.weight end as coverage offset 0) c
  ), scored as (
    select id, coverage, round((1e6 * case named when ${EXACT} then 1 when ${REFERRED} then 0.99 else
      case when quoted then 0.9::float8 else 0 end + case when quoted then 0.09::float8 else 0.89 end * (1 - (1 - meaning) * (1 - words)) end)::float8) / 1e6 as score
    from (
      select *, greatest(case named when ${ALIKE} then 0.3 else 0 end, 0.6 * coverage ^ 3 * coalesce(rank / nullif(max(rank) over (), 0), 0)) as words
      from candidates
    ) weighed
    where named > 0 or quoted or coverage >= ${minCoverage} or meaning > 0
  ), page as (
    select * from scored where ${score} is null or score < ${score} or (score = ${score} and id > ${id})
    order by score desc, id limit ${value(search.limit, 'int')}
  )
  select ${SUMMARY}, jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name) as workspace, page.score, page.coverage,
    (select jsonb_object_agg(lexeme, weight) from words) as words
  from page join explorations e on e.id = page.id and ${seenIn('e')} ${hasStatus} join workspaces w on w.id = e.workspace_id
  order by page.score desc, page.id`
  return { statement, values }
}

// How a question names an exploration, the surest last.
const ALIKE = 1
const REFERRED = 2
const EXACT = 3

type NearestQuery = Pick<NonNullable<SearchQuery['meaning']>, 'embedder' | 'dimensions'>

/** As the index of the embedder's vectors has it. */
const vectorType = ({ dimensions }: NearestQuery): string =>
  `${dimensions <= 2000 ? 'vector' : 'halfvec'}(${dimensions})`

/**
 * Of few explorations the nearest, of many what the index of the embedder's vectors gives; which it is, the database sees. The index
 * covers just that embedder, with its dimensions: both are part of the statement.
 */
const nearest = (meaning: NearestQuery, ofWorkspaces: string, seenCondition: string, ofStatus: string): string[] => {
  const distance = `v.embedding::${vectorType(meaning)} <=> (select vector from asked)`
  const all = `select v.exploration_id, null, 1 - (${distance}) as cosine, 0 from exploration_vectors v ${ofStatus}
        where v.embedder = ${meaning.embedder} and v.embedding is not null`
  return [
    `(${all} and (select count <= few_vectors from seen, census) and ${ofWorkspaces} order by cosine desc limit ${MAX_NEAREST})`,
    `(${all} and (select count > few_vectors from seen, census) and ${seenCondition} order by ${distance} limit ${MAX_NEAREST})`
  ]
}

const quotes = (phrases: string): string => `
      (select bool_and(numnode(phraseto_tsquery('english', phrase)) > 0 and d.document @@ phraseto_tsquery('english', phrase)) from unnest(${phrases}) as phrase)`
