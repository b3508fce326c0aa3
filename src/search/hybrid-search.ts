/** Search by words and by meaning; by words alone, with a notice, while queries cannot be embedded. */
import { lruSet } from '../lib/lru.js'
import type { Search, SearchHit } from '../planning/store.js'
import type { QueryVector } from './ranking/search-nearest.js'
import type { FoundExploration, SqlSearch } from './ranking/sql-search.js'
import type { EmbedderRegistry, ActiveEmbedder } from './embedder-registry.js'
import { asQuery, EmbedderUnavailable } from './embedder.js'
import type { SearchEngine } from './search-engine.js'
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

  /** Undefined for a query without a known word. */
  const toQueryVector = async (
    { embedder: by, id, dimensions, scale }: ActiveEmbedder, query: string, signal?: AbortSignal
  ): Promise<QueryVector | undefined> => {
    const key = `${by.id} ${by.version} ${query}`
    const cached = queryVectors.get(key)
    const [vector] = cached ? [cached] : await by.embed([asQuery(query)], { kind: 'query', signal })
    if (vector?.length !== dimensions) {
      throw new EmbedderUnavailable(
        `${by.id} gave ${vector?.length ?? 'no'} numbers instead of ${dimensions}`, 'permanent')
    }
    lruSet(queryVectors, key, vector, MAX_QUERY_VECTORS)
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

/** Each hit with the sentence that shows why it was found, or its title; `byMeaning`: whether near ones count. */
export const addSnippets = async (
  engine: Pick<SearchEngine, 'explain'>, found: readonly FoundExploration[],
  query: { query: string, byMeaning: boolean }, signal?: AbortSignal
): Promise<SearchHit[]> => {
  const texts = new Map(found.map(({ id, text }) => [id, text]))
  const snippets = texts.size === 0
    ? texts
    : await engine.explain({ ...query, words: found[0]?.words ?? {}, texts }, signal)
  return found.map(({ coverage: _coverage, words: _words, text: _text, ...hit }) =>
    ({ ...hit, snippet: snippets.get(hit.id) ?? hit.title }))
}
