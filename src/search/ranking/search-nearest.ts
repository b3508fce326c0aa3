/** The part of a search that finds by meaning: the explorations whose vectors are nearest to the query's. */
import { VISIBLE, wantedCondition, type SearchScope, type StatementValues } from './search-scope.js'

export interface QueryVector {
  /** The embedder's number in the database. */
  embedder: number
  dimensions: number
  vector: Float32Array
  /** The cosine of what has nothing to do with the query; what is no nearer is not found. */
  unrelated: number
  /** The cosine of what is just what the query asks for. */
  related: number
}

export interface NearestSearch extends SearchScope, Pick<QueryVector, 'embedder' | 'dimensions'> {
  /** As `vectorBytes` writes it. */
  vector: Uint8Array
}

const MAX_NEAREST = 60

/** The index covers just that embedder with its dimensions, so both are part of the statement. */
const vectorType = (dimensions: number): string => `${dimensions <= 2000 ? 'vector' : 'halfvec'}(${dimensions})`

/**
 * Returns the rows of an exploration's id and its cosine, for a statement with the tables `asked` and `seen`; the same
 * exploration may be in several, one for each of its parts. Of a caller who sees few explorations all vectors are
 * compared: the index of all vectors, filtered for these few, would take longer and miss some.
 */
export const nearestRows = (
  { embedder, dimensions, vector, ...scope }: NearestSearch, value: StatementValues['value']
): string => {
  const type = vectorType(dimensions)
  const condition = wantedCondition('s', scope, value)
  const ofStatus = condition && `join explorations s on s.id = exploration_id${condition}`
  const distance = `v.embedding::${type} <=> ${value(vector, 'vector')}::${type}`
  const rows = (isWanted: string, order: string): string => `(
    select v.exploration_id as id, 1 - (${distance}) as cosine from exploration_vectors v ${ofStatus}
    where v.embedder = ${embedder} and v.embedding is not null and ${isWanted} order by ${order} limit ${MAX_NEAREST})`
  return `${rows(`(select compare_all from seen) and v.workspace_id = ${VISIBLE}`, 'cosine desc')}
    union all
    ${rows(`not (select compare_all from seen) and (v.workspace_id = ${VISIBLE}) is true`, distance)}`
}
