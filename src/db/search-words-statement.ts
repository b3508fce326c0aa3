/** The first statement of a search: what the question's words weigh, and which explorations hold most of them. */
import { statementValues, toPowerOfTwo, wantedCondition, type SearchScope, type Statement } from './search-scope.js'

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
export const searchWordsStatement = ({ text, visible, statuses, tag }: SearchScope & { text: string }): Statement => {
  const { values, value } = statementValues()
  // Read from a row, so that one plan serves all: to make one for each question takes longer than to answer it.
  const workspaces = '(select workspaces from asked)::uuid[]'
  // Before anything is cut off, so that what is rare is not lost among the others.
  const condition = wantedCondition('s', { statuses, tag }, value)
  const ofStatus = condition && `join explorations s on s.id = exploration_id${condition}`

  const ofEach = (
    query: string, maxMatches: number, extraCondition = ''
  ): string => `unnest(${workspaces}) as workspace cross join lateral (
        select d.exploration_id from search_documents d
        where d.document @@ ${query} and d.workspace_id = workspace ${extraCondition} limit ${maxMatches}) holder`
  // Where an index of workspaces would be the long way, it does not see the condition.
  const holders = (query: string, maxMatches: number): string => visible.length <= FEW_WORKSPACES
    ? ofEach(query, maxMatches)
    : `(select exploration_id from ${ofEach(query, maxMatches, `and ${FEW_SEEN}`)} union all
        (select d.exploration_id from search_documents d
        where not ${FEW_SEEN} and d.document @@ ${query} and (d.workspace_id = any(${workspaces})) is true
        limit ${maxMatches})) holder`

  const statement = `
  with asked as materialized (
    select ${value(visible, 'uuid[]')} as workspaces, ${value(text, 'text')} as text
  ), census as materialized (
    select explorations, ${FEW_VECTORS} as few_vectors from search_census
  ), seen as materialized (
    select count(*) as count from (
      select from explorations where workspace_id = any(${workspaces})
      limit (select few_vectors::bigint + 1 from census)) counted
  ), stems as materialized (
    select stem.lexeme, quote_literal(stem.lexeme)::tsquery as query, share, positions[1] as place
    from unnest(to_tsvector('english', (select text from asked))) as stem left join lateral (
      select ${toPowerOfTwo('share')}::real as share
      from commonplace_words c where c.lexeme = stem.lexeme and not ${FEW_SEEN} limit 1
    ) commonplace on true
    order by share nulls first, place limit ${MAX_STEMS}
  ), words as materialized (
    select lexeme, query, share, held_by, place,
      ln(1 + size / (1 + coalesce(share * size, cardinality(held_by), 0))) as weight
    from stems left join lateral (
      select array_agg(exploration_id) as held_by from ${holders('query', MAX_MATCHES)} where share is null
    ) held on true cross join (
      select (case when count <= ${FEW_EXPLORATIONS} then count
        else greatest(count, (select ${toPowerOfTwo('explorations')} from census)) end)::float8 as size from seen
    ) sizes
  ), question as materialized (
    select sum(weight) as weight, sum(weight) filter (where share is not null) as commonplace,
      case when count(share) > 1 or count(held_by) = 0
        then (string_agg(query::text, ' & ') filter (where share is not null))::tsquery end as all_commonplace
    from words
  ), covered as (
    select exploration_id as id, sum(held.weight) / (select weight from question) as coverage
    from (
      select exploration_id, weight from words cross join lateral unnest(held_by) as exploration_id
      union all
      select exploration_id, commonplace
      from question cross join lateral ${holders('all_commonplace', MAX_MATCHES_OVERALL)}
      where all_commonplace is not null
    ) held ${ofStatus}
    group by exploration_id order by coverage desc, exploration_id limit ${MAX_BY_WORDS}
  )
  select
    coalesce((select jsonb_agg(jsonb_build_object('lexeme', lexeme, 'weight', weight, 'common', share is not null,
      'known', share is not null or held_by is not null) order by share nulls first, place) from words), '[]') as words,
    coalesce((select jsonb_agg(jsonb_build_object('id', id, 'coverage', coverage)) from covered), '[]') as covered,
    (select count <= few_vectors from seen, census) as "fewVectors"`
  return { statement, values }
}
