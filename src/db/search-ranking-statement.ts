/**
 * The last statement of a search: ranks what was found by words and by meaning, with what the question names, and
 * gives a page of it.
 */
import { SUMMARY } from './sql-explorations.js'
import {
  askedTable, statementValues, wantedCondition, type SearchScope, type Statement, type StatementValues
} from './search-scope.js'
import { nearestRows, type NearestSearch, type NearestVector } from './search-nearest-statement.js'
import type { SearchQuestion } from './search-question.js'
import { WEIGHTS } from './search-weights.js'
import { wordsTables, type QuestionWords } from './search-words-statement.js'

export interface SearchRanking extends SearchScope, Omit<SearchQuestion, 'cursorTag' | 'scope'> {
  found: FoundBefore | FindAmongMany
  /** Cosines of what has nothing to do with the question, and of what is just what it asks for. */
  unrelated: number
  related: number
  /** Of the weight of the question's words, what a hit by words alone has to hold. */
  minCoverage: number
  limit: number
}

/** What the first two statements found. */
export interface FoundBefore extends Pick<QuestionWords, 'words' | 'covered'> { nearest: readonly NearestVector[] }

/** Where the caller is known to see many explorations, this statement weighs the words, and finds what holds them. */
export interface FindAmongMany {
  /** As an earlier first statement gave it. */
  size: QuestionWords['size']
  /** Vectors that were found before, or how this statement finds them. */
  nearest: readonly NearestVector[] | Omit<NearestSearch, 'visible'>
}

/** Most explorations that are looked at closely. */
export const MAX_RESCORED = 60

/** The expression of the index. */
export const REFERENCE = "substring(e.url from '/([0-9]{1,9})(?:-[^/]*)?/?$')"

/** How a question names an exploration, the surest last. */
export const [ALIKE, REFERRED, EXACT] = [1, 2, 3]

/** Returns the statement: rows of the result with their scores, the best first. */
export const searchRankingStatement = (search: SearchRanking): Statement => {
  const { values, value } = statementValues()
  const { found } = search
  const isMany = 'size' in found
  const visible = 'any((select workspaces from asked)::uuid[])'
  const hasStatus = wantedCondition('e', search, value)

  const unrelated = value(search.unrelated, 'float8')
  const related = value(search.related, 'float8')
  const [tables, ...branches] = isMany
    ? [amongMany(search, found, { unrelated, related }, value), ...FOUND_AMONG_MANY]
    : [foundBefore(found, value), 'select * from found_before']
  const branch = (condition: string, named: number): string =>
    `select e.id, null, null, ${named} from explorations e where e.workspace_id = ${visible} ${hasStatus} and ` +
      `${condition}`
  if (search.title !== undefined) branches.push(branch(`lower(e.title) = lower(${value(search.title, 'text')})`, EXACT))
  if (search.id !== undefined) branches.push(branch(`e.id = ${value(search.id, 'uuid')}`, EXACT))
  if (search.reference !== undefined) {
    branches.push(branch(`e.url is not null and ${REFERENCE} = ${value(search.reference, 'text')}`, REFERRED))
  }
  if (search.mistyped !== undefined && (isMany || found.words.some(({ known }) => !known))) {
    const hasUnknown = isMany ? 'exists (select from words where not known) and ' : ''
    branches.push(branch(`${hasUnknown}${value(search.mistyped, 'text')} <% e.title`, ALIKE))
  }

  const minCoverage = value(search.minCoverage, 'float8')
  const score = value(search.after?.[0] ?? null, 'float8')
  const id = value(search.after?.[1] ?? null, 'uuid')
  const isQuoted = search.phrases.length === 0 ? 'false' : quotes(value(search.phrases, 'text[]'))
  // Else what is known of its words says it all.
  const isRead = search.phrases.length === 0 && !isMany
    ? `and (f.coverage >= ${minCoverage} or commonplace is not null)`
    : ''
  const statement = `
  with ${askedTable(search, value)}, ${tables}, question as materialized (
    select sum(weight) as weight, sum(weight) filter (where common) as commonplace,
      string_agg(query::text, ' | ')::tsquery as any_word from words
  ), found as (
    select id, coalesce(max(coverage), 0) as coverage, max(named) as named,
      least(1, greatest(0, coalesce((max(cosine) - ${unrelated}) / (${related} - ${unrelated}), 0))) as meaning
    from (
      ${branches.join('\n      union all ')}
    ) branches group by id
  ), candidates as materialized (
    select f.id, f.named, f.meaning, c.coverage,
      case when c.coverage >= ${minCoverage} then ts_rank(document, any_word, 32) end as rank, ${isQuoted} as quoted
    from (select * from found order by named desc, 1 - (1 - meaning) * (1 - ${WEIGHTS.words} * coverage ^ 3) desc, id
        limit ${MAX_RESCORED}) f cross join question q
      -- Without its places a document is small, and read once for all words.
      left join lateral (select document, strip(document) as stems
        from search_documents d where d.exploration_id = f.id ${isRead} limit 1) d on true
      cross join lateral (select case when ${isMany ? 'q.weight' : 'commonplace'} is null then f.coverage
        else coalesce((select sum(w.weight) from words w where stems @@ w.query), 0) / q.weight
        end as coverage offset 0) c
  ), scored as (
    select id, coverage, round((1e6 * case named when ${EXACT} then 1 when ${REFERRED} then ${WEIGHTS.referred} else
      case when quoted then ${WEIGHTS.quoted}::float8 else 0 end +
        case when quoted then ${WEIGHTS.besideQuoted}::float8 else ${WEIGHTS.unnamed} end *
          (1 - (1 - meaning) * (1 - words))
      end)::float8) / 1e6 as score
    from (
      select *, greatest(case named when ${ALIKE} then ${WEIGHTS.alike} else 0 end,
        ${WEIGHTS.words} * coverage ^ 3 * coalesce(rank / nullif(max(rank) over (), 0), 0)) as words
      from candidates
    ) ranked
    where named > 0 or quoted or coverage >= ${minCoverage} or meaning > 0
  ), page as (
    select * from scored where ${score} is null or score < ${score} or (score = ${score} and id > ${id})
    order by score desc, id limit ${value(search.limit, 'int')}
  )
  select ${SUMMARY}, jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name) as workspace,
    page.score, page.coverage${isMany ? ', (select json_object_agg(lexeme, weight) from words) as words' : ''}
  from page
    join explorations e on e.id = page.id and (e.workspace_id = ${visible}) is true ${hasStatus}
    join workspaces w on w.id = e.workspace_id
  order by page.score desc, page.id`
  return { statement, values }
}

/** The tables of what the statements before found. */
const foundBefore = ({ words, covered, nearest }: FoundBefore, value: StatementValues['value']): string => {
  const candidates = [
    ...covered.map((byWords) => ({ ...byWords, cosine: null })),
    ...nearest.map((byMeaning) => ({ ...byMeaning, coverage: null }))
  ]
  return `words as materialized (
    select quote_literal(lexeme)::tsquery as query, weight, common
    from unnest(
      ${value(words.map(({ lexeme }) => lexeme), 'text[]')},
      ${value(words.map(({ weight }) => weight), 'float8[]')},
      ${value(words.map(({ common }) => common), 'boolean[]')})
      as word (lexeme, weight, common)
  ), found_before as materialized (
    select id, coverage, cosine, 0 as named
    from unnest(
      ${value(candidates.map(({ id }) => id), 'uuid[]')},
      ${value(candidates.map(({ coverage }) => coverage), 'float8[]')},
      ${value(candidates.map(({ cosine }) => cosine), 'float8[]')})
      as found (id, coverage, cosine)
  )`
}

const FOUND_AMONG_MANY = [
  'select id, null::float8 as coverage, cosine, 0 as named from nearest',
  'select id, coverage, null, 0 from covered'
]

/** The tables that find by meaning, and by words what can be worth more. */
const amongMany = (
  search: SearchRanking, { size, nearest }: FindAmongMany, scale: { unrelated: string, related: string },
  value: StatementValues['value']
): string => {
  const rows = 'vector' in nearest
    ? nearestRows(nearest, value)
    : `select id, cosine from unnest(
      ${value(nearest.map(({ id }) => id), 'uuid[]')},
      ${value(nearest.map(({ cosine }) => cosine), 'float8[]')})
      as vector (id, cosine)`
  return `nearest as materialized (
    ${rows}
  ), reach as materialized (
    select case when count(*) < ${MAX_RESCORED} then 0
      else (min(cosine) - ${scale.unrelated}) / (${scale.related} - ${scale.unrelated}) end as score
    from (select max(cosine) as cosine from nearest group by id) best
  ), ${wordsTables({ ...search, size }, value)}`
}

const quotes = (phrases: string): string => `
      (select bool_and(numnode(phraseto_tsquery('english', phrase)) > 0
          and d.document @@ phraseto_tsquery('english', phrase))
        from unnest(${phrases}) as phrase)`
