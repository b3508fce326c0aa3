/**
 * The last statement of a search: ranks what was found by words and by meaning, with what the question names, and
 * gives a page of it.
 */
import { SUMMARY } from './sql-explorations.js'
import { statementValues, wantedCondition, type SearchScope, type Statement } from './search-scope.js'
import type { NearestVector } from './search-nearest-statement.js'
import type { SearchQuestion } from './search-question.js'
import type { QuestionWords } from './search-words-statement.js'

export interface SearchRanking extends
  SearchScope, Pick<QuestionWords, 'words' | 'covered'>, Omit<SearchQuestion, 'cursorTag' | 'scope' | 'text'> {
  nearest: readonly NearestVector[]
  /** Cosines of what has nothing to do with the question, and of what is just what it asks for. */
  unrelated: number
  related: number
  /** Of the weight of the question's words, what a hit by words alone has to hold. */
  minCoverage: number
  limit: number
}

/** Most explorations that are looked at closely. */
export const MAX_RESCORED = 60

/** The expression of the index. */
export const REFERENCE = "substring(e.url from '/([0-9]{1,9})(?:-[^/]*)?/?$')"

/** How a question names an exploration, the surest last. */
export const [ALIKE, REFERRED, EXACT] = [1, 2, 3]

/** Parts of a score, which goes to 1 for what is named exactly. */
export const WEIGHTS = {
  /** Of what an address names by its number. */
  referred: 0.99,
  /** Of holding what is quoted, and of meaning and words together beside it. */
  quoted: 0.9,
  besideQuoted: 0.09,
  /** Of meaning and words together, where the question names nothing. */
  unnamed: 0.89,
  /** Of the words alone. */
  words: 0.6,
  /** Of a title that is nearly the question, at least. */
  alike: 0.3
}

/** Returns the statement: rows of the result with their scores, the best first. */
export const searchRankingStatement = (search: SearchRanking): Statement => {
  const { values, value } = statementValues()
  const { words, covered, nearest } = search
  // Read from a row, so that one plan serves all: to make one for each question takes longer than to answer it.
  const visible = 'any((select workspaces from asked)::uuid[])'
  const hasStatus = wantedCondition('e', search, value)

  const branches = ['select * from found_before']
  const branch = (condition: string, named: number): string =>
    `select e.id, null, null, ${named} from explorations e where e.workspace_id = ${visible} ${hasStatus} and ` +
      `${condition}`
  if (search.title !== undefined) branches.push(branch(`lower(e.title) = lower(${value(search.title, 'text')})`, EXACT))
  if (search.id !== undefined) branches.push(branch(`e.id = ${value(search.id, 'uuid')}`, EXACT))
  if (search.reference !== undefined) {
    branches.push(branch(`e.url is not null and ${REFERENCE} = ${value(search.reference, 'text')}`, REFERRED))
  }
  if (search.mistyped !== undefined && words.some(({ known }) => !known)) {
    branches.push(branch(`${value(search.mistyped, 'text')} <% e.title`, ALIKE))
  }

  const unrelated = value(search.unrelated, 'float8')
  const related = value(search.related, 'float8')
  const minCoverage = value(search.minCoverage, 'float8')
  const score = value(search.after?.[0] ?? null, 'float8')
  const id = value(search.after?.[1] ?? null, 'uuid')
  const isQuoted = search.phrases.length === 0 ? 'false' : quotes(value(search.phrases, 'text[]'))
  // Else what is known of its words says it all.
  const isRead = search.phrases.length === 0 ? `and (f.coverage >= ${minCoverage} or commonplace is not null)` : ''
  const candidates = [
    ...covered.map((byWords) => ({ ...byWords, cosine: null })),
    ...nearest.map((byMeaning) => ({ ...byMeaning, coverage: null }))
  ]

  const statement = `
  with asked as materialized (
    select ${value(search.visible, 'uuid[]')} as workspaces
  ), words as materialized (
    select quote_literal(lexeme)::tsquery as query, weight, common
    from unnest(
      ${value(words.map(({ lexeme }) => lexeme), 'text[]')},
      ${value(words.map(({ weight }) => weight), 'float8[]')},
      ${value(words.map(({ common }) => common), 'boolean[]')})
      as word (lexeme, weight, common)
  ), question as materialized (
    select sum(weight) as weight, sum(weight) filter (where common) as commonplace,
      string_agg(query::text, ' | ')::tsquery as any_word from words
  ), found_before as materialized (
    select id, coverage, cosine, 0 as named
    from unnest(
      ${value(candidates.map(({ id }) => id), 'uuid[]')},
      ${value(candidates.map(({ coverage }) => coverage), 'float8[]')},
      ${value(candidates.map(({ cosine }) => cosine), 'float8[]')})
      as found (id, coverage, cosine)
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
      cross join lateral (select case when commonplace is null then f.coverage
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
    ) weighed
    where named > 0 or quoted or coverage >= ${minCoverage} or meaning > 0
  ), page as (
    select * from scored where ${score} is null or score < ${score} or (score = ${score} and id > ${id})
    order by score desc, id limit ${value(search.limit, 'int')}
  )
  select ${SUMMARY}, jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name) as workspace,
    page.score, page.coverage
  from page
    join explorations e on e.id = page.id and (e.workspace_id = ${visible}) is true ${hasStatus}
    join workspaces w on w.id = e.workspace_id
  order by page.score desc, page.id`
  return { statement, values }
}

const quotes = (phrases: string): string => `
      (select bool_and(numnode(phraseto_tsquery('english', phrase)) > 0
          and d.document @@ phraseto_tsquery('english', phrase))
        from unnest(${phrases}) as phrase)`
