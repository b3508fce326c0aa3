/** The part of a search that finds by words: what the query's words weigh, and which explorations hold them. */
import {
  holders, toPowerOfTwo, wantedCondition, WEIGHTS, type SearchScope, type StatementValues
} from './search-scope.js'

export interface WordsSearch extends SearchScope { text: string }

/** Stems of a longer query are cut, the commonest first: each is looked for in each candidate. */
const MAX_STEMS = 48
/** Maximum numbers of explorations that are read for a rare word, and for all commonplace words together. */
const MAX_HOLDERS = { apart: 3000, together: 3000 }
const MAX_COMMONPLACE_HOLDERS = { apart: 200, together: 200 }
/** Where so many of the nearest hold all commonplace words, thousands of others may, and would take their places. */
const NEAREST_HOLDERS = { enough: 10, of: 20 }

/**
 * Returns tables that stand behind `asked` and `seen` after `with`: `words` with what they weigh, and `covered` with
 * the share of the query's weight that each exploration holds, 0 to 1. `reach` has the score, 0 to 1, of the last one
 * that is near enough in meaning to be looked at closely: where many are seen, none is looked for that could not have a
 * higher one by its words alone, and the share is a lower bound.
 */
export const wordsTables = ({ text, ...scope }: WordsSearch, value: StatementValues['value']): string => {
  // Before anything is cut off, so that what is rare is not lost among the others.
  const condition = wantedCondition('s', scope, value)
  const ofStatus = condition && `join explorations s on s.id = exploration_id${condition}`
  return `stems as materialized (
    select stem.lexeme, quote_literal(stem.lexeme)::tsquery as query, share, positions[1] as position
    from unnest(to_tsvector('english', (select ${value(text, 'text')}))) as stem left join lateral (
      select ${toPowerOfTwo('share')}::real as share
      from commonplace_words c where c.lexeme = stem.lexeme and not (select few from seen) limit 1
    ) commonplace on true
    order by share nulls first, position limit ${MAX_STEMS}
  ), held as materialized (
    select stems.*, held_by, ln(1 + size / (1 + coalesce(share * size, cardinality(held_by), 0))) as weight
    from stems left join lateral (
      select array_agg(exploration_id) as held_by from ${holders('query', MAX_HOLDERS)} where share is null
    ) found on true cross join seen
  ), words as materialized (
    -- Without those who hold them they are small: they are read for each candidate.
    select lexeme, query, share is not null or held_by is not null as known, weight
    from held order by share nulls first, position
  ), weighed as materialized (
    select sum(weight) as weight, sum(weight) filter (where share is not null) as commonplace,
      case when count(share) > 1 or count(held_by) = 0
        then (string_agg(query::text, ' & ') filter (where share is not null))::tsquery end as all_commonplace,
      (string_agg(query::text, ' | ') filter (where held_by is not null))::tsquery as any_rare
    from held
  ), commonplace as materialized (
    -- With a rarer word, where the commonplace ones are not enough by themselves, or what is nearest holds them too.
    select commonplace as weight, case when ${WEIGHTS.words} * (commonplace / weight) ^ 3 > (select score from reach)
        and not coalesce((select true
          from (select id from nearest group by id order by max(cosine) desc limit ${NEAREST_HOLDERS.of}) n
          where (select document @@ all_commonplace from search_documents d where d.exploration_id = n.id)
          offset ${NEAREST_HOLDERS.enough - 1} limit 1), false)
      then all_commonplace else all_commonplace && any_rare end as query
    from weighed
  ), covered as (
    select exploration_id as id, sum(holder.weight) / (select weight from weighed) as coverage
    from (
      select exploration_id, weight from held cross join lateral unnest(held_by) as exploration_id
      union all
      select exploration_id, weight
      from commonplace cross join lateral ${holders('commonplace.query', MAX_COMMONPLACE_HOLDERS)}
      where commonplace.query is not null
    ) holder ${ofStatus}
    where (select few from seen) or ${WEIGHTS.words} > (select score from reach)
    group by exploration_id
  )`
}
