/** Search by words and by meaning; by words alone, with a notice, while queries cannot be embedded. */
import { lruSet } from '../lib/lru.js'
import type { Search } from '../planning/store.js'
import type { QueryVector } from './ranking/search-nearest.js'
import type { SqlSearch } from './ranking/sql-search.js'
import type { EmbedderRegistry, ActiveEmbedder } from './embedder-registry.js'
import { asQuery, EmbedderUnavailable, type Embedder } from './embedder.js'
import type { SearchEngine } from './search-engine.js'
import { addSnippets } from './snippets/add-snippets.js'
import { isZero } from './vector.js'

export interface HybridSearchDeps {
  sql: SqlSearch
  registry: Pick<EmbedderRegistry, 'activeForQueries'>
  /** Chooses snippets; it is started by a call without texts. */
  engine: Pick<SearchEngine, 'embed' | 'explain'>
  /** Called for each query: whether it could be embedded, or why not. */
  onQuery? (reason?: string): void
}

const MAX_QUERY_VECTORS = 500

export const createHybridSearch = (
  { sql, registry, engine, onQuery = () => {} }: HybridSearchDeps
): Search & { prepare (): Promise<void> } => {
  const queryVectors = new Map<string, Float32Array>()

  const vectorOf = async (by: Embedder, query: string, signal?: AbortSignal): Promise<Float32Array> => {
    const key = `${by.id} ${by.version} ${query}`
    const cached = queryVectors.get(key)
    const [vector] = cached ? [cached] : await by.embed([asQuery(query)], { kind: 'query', signal })
    if (!vector) throw new EmbedderUnavailable(`${by.id} gave no vector`)
    return lruSet(queryVectors, key, vector, MAX_QUERY_VECTORS)
  }

  /** Undefined for a query without a known word. */
  const toQueryVector = async (
    { embedder, id, dimensions, scale }: ActiveEmbedder, query: string, signal?: AbortSignal
  ): Promise<QueryVector | undefined> => {
    const vector = await vectorOf(embedder, query, signal)
    if (vector.length !== dimensions) {
      throw new EmbedderUnavailable(
        `${embedder.id} gave ${vector.length} numbers instead of ${dimensions}`, 'permanent')
    }
    return isZero(vector) ? undefined : { embedder: id, dimensions, vector, ...scale }
  }

  /** `notice` says why there is no vector, where that is not due to the query. */
  const embedQuery = async (
    query: string, signal?: AbortSignal
  ): Promise<{ queryVector?: QueryVector | undefined, notice?: string }> => {
    const by = await registry.activeForQueries()
    if (!by) return { notice: 'The index of meanings is not made yet: found by words alone, not by meaning.' }
    try {
      const queryVector = await toQueryVector(by, query, signal)
      onQuery()
      return { queryVector }
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof EmbedderUnavailable)) throw error
      onQuery(error.message)
      return { notice: 'The embedder cannot be asked now: found by words alone, not by meaning.' }
    }
  }

  return {
    /** Starts what the first query would wait for: the search worker with the word vectors. */
    async prepare () {
      await engine.embed([], { kind: 'query' })
    },

    async find (request) {
      const { query, signal } = request
      const { queryVector, ...notice } = await embedQuery(query, signal)
      const { items, ...rest } = await sql.find({ ...request, queryVector })
      const byMeaning = queryVector !== undefined
      return { items: await addSnippets(engine, items, { query, byMeaning }, signal), ...rest, ...notice }
    }
  }
}
