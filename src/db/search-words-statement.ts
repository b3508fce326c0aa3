/**
 * The first statement of a search: what the question's words weigh, and which explorations hold most of them. Where it
 * is known that the caller sees many explorations, the statement of the ranking does that.
 */
import { WEIGHTS } from './search-weights.js'
import {
  askedTable, statementValues, toPowerOfTwo, wantedCondition, type SearchScope, type Statement, type StatementValues
} from './search-scope.js'

export interface WordsSearch extends SearchScope {
  text: string
  /** Present where the caller is known to see more than `FEW_EXPLORATIONS`: what `size` of an earlier row was. */
  size?: number | undefined
}

/** The row that it gives. */
export interface QuestionWords {
  /**
   * Stems of the question's words, the rare first; `common` ones are not counted one by one, `known` ones stand in
   * some text.
   */
  words: Array<{ lexeme: string, weight: number, common: boolean, known: boolean }>
  /** Explorations that hold words, and how much of the question's weight, 0 to 1. */
  covered: Array<{ id: string, coverage: number }>
  /** Whether the caller sees so few explorations that all of their vectors are compared. */
  fewVectors: boolean
  /** How many explorations the caller sees, as far as they were counted. */
  seen: number
  /** The number of explorations that the rarity of a word is measured by. */
  size: number
}

/**
 * A longer question is cut to so many stems, the commonest and then the last ones first: each is looked for in each
 * candidate.
 */
export const MAX_STEMS = 48
/** Most explorations by words. */
export const MAX_BY_WORDS = 60
/** Among no more explorations each word is counted. */
export const FEW_EXPLORATIONS = 1000
// All vectors of so many are compared: the index of all, filtered for them, would take longer, the more others there
// are.
const FEW_VECTORS = `greatest(${FEW_EXPLORATIONS}, 10 * sqrt(explorations))`
// The index of words is asked for each of so few workspaces, and for all at once where there are more.
const FEW_WORKSPACES = 8
const MAX_MATCHES = 3000
const MAX_MATCHES_OVERALL = 200

// Else words weigh by what the caller sees, whatever others have: each is counted.
const FEW_SEEN = `(select count <= ${FEW_EXPLORATIONS} from seen)`

/** Returns the statement: one row with the weights of the words and the ids that hold most of them. */
export const searchWordsStatement = (search: Omit<WordsSearch, 'size'>): Statement => {
  const { values, value } = statementValues()
  const statement = `
  with ${askedTable(search, value)}, ${wordsTables(search, value)}
  select
    coalesce((select jsonb_agg(jsonb_build_object('lexeme', lexeme, 'weight', weight, 'common', common,
      'known', known)) from words), '[]') as words,
    coalesce((select jsonb_agg(jsonb_build_object('id', id, 'coverage', coverage)) from covered), '[]') as covered,
    few_vectors as "fewVectors", seen::float8, size from sizes`
  return { statement, values }
}

/**
 * Returns tables that stand behind `asked` after `with`: `sizes`, `words` with what they weigh, and `covered` with the
 * explorations that hold most of them. Where many explorations are seen, `reach` has the score, 0 to 1, of the last one
 * that is near enough in meaning to be looked at closely. Then none is looked for that could not have a higher one by
 * its words alone.
 */
export const wordsTables = (
  { text, visible, statuses, tag, size }: WordsSearch, value: StatementValues['value']
): string => {
  const isMany = size !== undefined
  const holders = holdersAmong(visible, isMany)
  // Before anything is cut off, so that what is rare is not lost among the others.
  const condition = wantedCondition('s', { statuses, tag }, value)
  const ofStatus = condition && `join explorations s on s.id = exploration_id${condition}`
  const [enough, all] = isMany
    ? [`${WEIGHTS.words} * (commonplace / weight) ^ 3 > (select score from reach)`,
        `where ${WEIGHTS.words} > (select score from reach)`]
    : ['true', '']
  return `${isMany ? `sizes as materialized (select ${value(size, 'float8')} as size)` : COUNTED_SIZES},
  stems as materialized (
    select stem.lexeme, quote_literal(stem.lexeme)::tsquery as query, share, positions[1] as place
    from unnest(to_tsvector('english', (select ${value(text, 'text')}))) as stem left join lateral (
      select ${toPowerOfTwo('share')}::real as share
      from commonplace_words c where c.lexeme = stem.lexeme ${isMany ? '' : `and not ${FEW_SEEN}`} limit 1
    ) commonplace on true
    order by share nulls first, place limit ${MAX_STEMS}
  ), held as materialized (
    select stems.*, held_by,
      ln(1 + size / (1 + coalesce(share * size, cardinality(held_by), 0))) as weight
    from stems left join lateral (
      select array_agg(exploration_id) as held_by from ${holders('query', MAX_MATCHES)} where share is null
    ) found on true cross join sizes
  ), words as materialized (
    -- Without those who hold them they are small: they are read for each candidate.
    select lexeme, query, share is not null as common, share is not null or held_by is not null as known, weight
    from held order by share nulls first, place
  ), weighed as materialized (
    select sum(weight) as weight, sum(weight) filter (where share is not null) as commonplace,
      case when count(share) > 1 or count(held_by) = 0
        then (string_agg(query::text, ' & ') filter (where share is not null))::tsquery end as all_commonplace,
      (string_agg(query::text, ' | ') filter (where held_by is not null))::tsquery as any_rare
    from held
  ), commonplace as materialized (
    -- With a rarer word, where the commonplace ones are not enough by themselves.
    select commonplace as weight, case when ${enough} then all_commonplace else all_commonplace && any_rare end as query
    from weighed
  ), covered as (
    select exploration_id as id, sum(holder.weight) / (select weight from weighed) as coverage
    from (
      select exploration_id, weight from held cross join lateral unnest(held_by) as exploration_id
      union all
      select exploration_id, weight
      from commonplace cross join lateral ${holders('commonplace.query', MAX_MATCHES_OVERALL)}
      where commonplace.query is not null
    ) holder ${ofStatus} ${all}
    group by exploration_id order by coverage desc, exploration_id limit ${MAX_BY_WORDS}
  )`
}

const WORKSPACES = '(select workspaces from asked)::uuid[]'

/** Returns the rows of explorations, as `holder`, that fit a query. */
const holdersAmong = (visible: readonly string[], isMany: boolean) => {
  const ofEach = (query: string, maxMatches: number, condition = ''): string =>
    `unnest(${WORKSPACES}) as workspace cross join lateral (
        select d.exploration_id from search_documents d
        where d.document @@ ${query} and d.workspace_id = workspace ${condition} limit ${maxMatches}) holder`
  // Where an index of workspaces would be the long way, it does not see the condition.
  const ofAll = (query: string, maxMatches: number, condition = ''): string => `(
        select d.exploration_id from search_documents d
        where ${condition} d.document @@ ${query} and (d.workspace_id = any(${WORKSPACES})) is true
        limit ${maxMatches})`
  return (query: string, maxMatches: number): string => {
    if (visible.length <= FEW_WORKSPACES) return ofEach(query, maxMatches)
    if (isMany) return `${ofAll(query, maxMatches)} holder`
    return `(select exploration_id from ${ofEach(query, maxMatches, `and ${FEW_SEEN}`)} union all
        ${ofAll(query, maxMatches, `not ${FEW_SEEN} and`)}) holder`
  }
}

const COUNTED_SIZES = `census as materialized (
    select explorations, ${FEW_VECTORS} as few_vectors from search_census
  ), seen as materialized (
    select count(*) as count from (
      select from explorations where workspace_id = any(${WORKSPACES})
      limit (select few_vectors::bigint + 1 from census)) counted
  ), sizes as materialized (
    select (case when count <= ${FEW_EXPLORATIONS} then count
        else greatest(count, ${toPowerOfTwo('explorations')}) end)::float8 as size,
      count as seen, count <= few_vectors as few_vectors
    from seen, census
  )`
