/** The second statement of a search: the explorations whose vectors are nearest to the question's. */
import {
  askedTable, statementValues, wantedCondition, type SearchScope, type Statement, type StatementValues
} from './search-scope.js'

export interface NearestSearch extends SearchScope {
  /** The embedder's number in the database. */
  embedder: number
  dimensions: number
  /** As `vectorBytes` writes it. */
  vector: Uint8Array
  /** Whether all vectors of the workspaces are compared; otherwise the index of the embedder's vectors is asked. */
  compareAll: boolean
}

/** A row that it gives; the same exploration may be in several, one for each of its parts. */
export interface NearestVector { id: string, cosine: number }

/** Most vectors by meaning. */
export const MAX_NEAREST = 60

/**
 * As the index of the embedder's vectors has it: it covers just that embedder, with its dimensions, so both are part
 * of the statement.
 */
const vectorType = (dimensions: number): string => `${dimensions <= 2000 ? 'vector' : 'halfvec'}(${dimensions})`

/** Returns the statement: rows of an exploration's id and its distance, the nearest first. */
export const searchNearestStatement = (search: NearestSearch): Statement => {
  const { values, value } = statementValues()
  const statement = `
  with ${askedTable(search, value)}
  ${nearestRows(search, value)}`
  return { statement, values }
}

/** Returns the query of these rows, for a statement with the table `asked`. */
export const nearestRows = (
  { statuses, tag, embedder, dimensions, vector, compareAll }: Omit<NearestSearch, 'visible'>,
  value: StatementValues['value']
): string => {
  const type = vectorType(dimensions)
  const condition = wantedCondition('s', { statuses, tag }, value)
  const ofStatus = condition && `join explorations s on s.id = exploration_id${condition}`
  const distance = `v.embedding::${type} <=> (select ${value(vector, 'vector')}::${type})`
  const ofWorkspaces = 'v.workspace_id = any((select workspaces from asked)::uuid[])'
  return `select v.exploration_id as id, 1 - (${distance}) as cosine from exploration_vectors v ${ofStatus}
  where v.embedder = ${embedder} and v.embedding is not null
    ${compareAll
      ? `and ${ofWorkspaces} order by cosine desc`
      // Where an index of workspaces would be the long way, it does not see the condition.
      : `and (${ofWorkspaces}) is true order by ${distance}`} limit ${MAX_NEAREST}`
}
