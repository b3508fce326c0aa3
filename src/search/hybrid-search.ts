/**
 * Search as tools have it: by words and by meaning; by words alone, and saying so, while questions cannot be
 * embedded.
 */
import { lruSet } from '../lib/lru.js'
import type { Page, Search, SearchHit, SearchRequest } from '../planning/store.js'
import { createFairQueue } from '../db/fair-queue.js'
import type { MemorySearch } from '../db/search-memory/memory-search.js'
import type { Meaning, SqlSearch } from '../db/sql-search.js'
import type { EmbedderRegistry, ActiveEmbedder } from './embedder-registry.js'
import { EmbedderUnavailable, type Embedder } from './embedder.js'
import type { SearchEngine } from './search-engine.js'
import { addSnippets } from './snippets/add-snippets.js'

export interface HybridSearch extends Search {
  /**
   * Starts what the first question would wait for: the thread with the word vectors, and the memory of explorations.
   * Resolves when a question finds them ready.
   * @throws what the engine or the database throws
   */
  prepare (): Promise<void>
}

export interface HybridSearchDeps {
  /** `load` fills what it holds in memory, with the vectors of this embedder. */
  sql: SqlSearch & Partial<Pick<MemorySearch, 'load'>>
  registry: Pick<EmbedderRegistry, 'activeForQueries'>
  /** Chooses snippets; it is started by a call without texts. */
  engine: Pick<SearchEngine, 'embed' | 'explain'>
  /** Called for each question: whether it could be embedded, or why not. */
  onQuery? (reason?: string): void
}

const MAX_QUERY_VECTORS = 500
/** A search keeps a processor of the database busy: those of one caller run one after the other. */
const MAX_SEARCHES_PER_CALLER = 1

/** Creates the search. One caller runs a bounded number of searches at once; the others of that caller wait. */
export const createHybridSearch = ({ sql, registry, engine, onQuery = () => {} }: HybridSearchDeps): HybridSearch => {
  const queryVectors = new Map<string, Float32Array>()
  const turns = createFairQueue({ maxRunning: Infinity, maxRunningPerCaller: MAX_SEARCHES_PER_CALLER })

  const embed = async (by: Embedder, query: string, signal?: AbortSignal): Promise<Float32Array> => {
    const key = `${by.id} ${by.version} ${query}`
    const cached = queryVectors.get(key)
    const [vector] = cached
      ? [cached]
      : await by.embed([{ parts: [{ text: query, weight: 1 }] }], { kind: 'query', signal })
    if (!vector) throw new EmbedderUnavailable(`${by.id} gave no vector`)
    return lruSet(queryVectors, key, vector, MAX_QUERY_VECTORS)
  }

  const meaningOf = async (query: string, signal?: AbortSignal): Promise<{ meaning?: Meaning, notice?: string }> => {
    try {
      const by = await registry.activeForQueries()
      if (!by) return { notice: 'The index of meanings is not made yet' }
      const meaning = await asMeaning(by, query, signal)
      onQuery()
      return meaning ? { meaning } : {}
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof EmbedderUnavailable)) throw error
      onQuery(error.message)
      return { notice: 'The embedder cannot be asked now' }
    }
  }

  const asMeaning = async (by: ActiveEmbedder, query: string, signal?: AbortSignal): Promise<Meaning | undefined> => {
    const { embedder, id, dimensions, scale } = by
    const vector = await embed(embedder, query, signal)
    if (vector.length !== dimensions) {
      throw new EmbedderUnavailable(
        `${embedder.id} gave ${vector.length} numbers in place of ${dimensions}`, 'permanent')
    }
    return vector.some((value) => value !== 0) ? { embedder: id, dimensions, vector, ...scale } : undefined
  }

  const findWithSnippets = async (request: SearchRequest, meaning: Meaning | undefined): Promise<Page<SearchHit>> => {
    const { query, signal, caller } = request
    signal?.throwIfAborted()
    const { items, ...rest } = await sql.find({ ...request, meaning })
    const byMeaning = meaning !== undefined
    return { items: await addSnippets({ sql, engine }, items, { query, byMeaning }, { signal, caller }), ...rest }
  }

  return {
    async prepare () {
      await engine.embed([], { kind: 'query' })
      await sql.load?.((await registry.activeForQueries())?.id)
    },

    async find (request) {
      const { meaning, notice } = await meaningOf(request.query, request.signal)
      return {
        ...await turns.run(() => findWithSnippets(request, meaning), request.caller),
        ...(notice !== undefined && { notice: `${notice}: found by words alone, not by meaning.` })
      }
    }
  }
}
