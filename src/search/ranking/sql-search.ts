/** Finding: what is named first, then by words and by meaning, over what the caller may see. */
import { encodeCursor, pageOf } from '../../db/sql/cursor.js'
import type { Queryable } from '../../db/sql/database.js'
import type { QueryVector } from './search-nearest.js'
import { MIN_COVERAGE, parseQuery } from './search-query.js'
import { searchStatement } from './search-statement.js'
import type { SearchHit, Page, SearchRequest } from '../../planning/store.js'
import { vectorBytes } from '../../db/postgres/pgvector.js'

/** A hit as the database ranks it, without the sentence that shows why it was found. */
export interface FoundExploration extends Omit<SearchHit, 'snippet'> {
  /** What is written in it, but for its title, as far as anybody reads it. */
  text: string
  /** How much of the query's words its texts hold, 0 to 1. */
  coverage: number
  /** What each word of the query weighs, by its stem; null when it has none. */
  words: Record<string, number> | null
}

export type SqlSearch = ReturnType<typeof sqlSearch>

export const sqlSearch = (db: Queryable) => ({
  /** By words and names alone when `queryVector` is absent. */
  async find (
    { queryVector, signal, caller, ...request }: SearchRequest & { queryVector?: QueryVector | undefined }
  ): Promise<Page<FoundExploration>> {
    const { cursorTag, ...query } = parseQuery(request)
    const { statement, values } = searchStatement({
      ...query,
      nearest: queryVector && { ...query.scope, ...queryVector, vector: vectorBytes(queryVector.vector) },
      unrelated: queryVector?.unrelated ?? 0,
      related: queryVector?.related ?? 1,
      minCoverage: MIN_COVERAGE[queryVector ? 'withMeaning' : 'alone'],
      limit: request.limit + 1
    })
    const rows = await db.query<FoundExploration>(statement, values, { signal, caller })
    return pageOf(rows, request.limit, ({ score, id }) => encodeCursor(cursorTag, [score, id]))
  }
})
