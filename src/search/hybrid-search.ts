/**
 * Search as tools have it: by words and by meaning; by words alone, and saying so, while questions cannot be
 * embedded.
 */
import { lruSet } from '../lib/lru.js'
import type { Page, Search, SearchHit, SearchRequest } from '../planning/store.js'
import type { MemorySearch } from '../db/search-memory/memory-search.js'
import type { Meaning, SqlSearch } from '../db/sql-search.js'
import type { EmbedderRegistry, ActiveEmbedder } from './embedder-registry.js'
import { asQuery, EmbedderUnavailable, type Embedder } from './embedder.js'
import type { SearchEngine } from './search-engine.js'
import { addSnippets } from './snippets/add-snippets.js'
import { isZero } from './vector.js'

export interface HybridSearch extends Search {
  /**
   * Starts what the first question would wait for: the thread with the word vectors, and the memory of explorations.
   * Resolves when a question finds them ready.
   * @throws what the engine or the database throws
   */
  prepare (): Promise<void>
}

export interface HybridSearchDeps {
  sql: SqlSearch
  /** Answers in place of the statements where it can. Its ranker is `engine`. */
  memory?: MemorySearch | undefined
  registry: Pick<EmbedderRegistry, 'activeForQueries'>
  /** Chooses snippets; it is started by a call without texts. */
  engine: Pick<SearchEngine, 'embed' | 'explain'>
  /** Called for each question: whether it could be embedded, or why not. */
  onQuery? (reason?: string): void
}

/** What is known of a question by its meaning; `notice` says why nothing is. */
interface UnderstoodQuestion { meaning?: Meaning | undefined, notice?: string }

type FoundPage = Awaited<ReturnType<Search['find']>>

const MAX_QUERY_VECTORS = 500

/** Creates the search. */
export const createHybridSearch = (
  { sql, memory, registry, engine, onQuery = () => {} }: HybridSearchDeps
): HybridSearch => {
  const queryVectors = new Map<string, Float32Array>()

  const embed = async (by: Embedder, query: string, signal?: AbortSignal): Promise<Float32Array> => {
    const key = `${by.id} ${by.version} ${query}`
    const cached = queryVectors.get(key)
    const [vector] = cached
      ? [cached]
      : await by.embed([asQuery(query)], { kind: 'query', signal })
    if (!vector) throw new EmbedderUnavailable(`${by.id} gave no vector`)
    return lruSet(queryVectors, key, vector, MAX_QUERY_VECTORS)
  }

  const understand = async (
    by: ActiveEmbedder | undefined, { query, signal }: SearchRequest
  ): Promise<UnderstoodQuestion> => {
    if (!by) return { notice: 'The index of meanings is not made yet' }
    try {
      const meaning = await asMeaning(by, query, signal)
      onQuery()
      return { meaning }
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
    return isZero(vector) ? undefined : { embedder: id, dimensions, vector, ...scale }
  }

  const findByStatements = async (
    request: SearchRequest, { meaning, notice }: UnderstoodQuestion
  ): Promise<FoundPage> => {
    const { query, signal, caller } = request
    const { items, ...rest } = await sql.find({ ...request, meaning })
    const byMeaning = meaning !== undefined
    const hits = await addSnippets({ sql, engine }, items, { query, byMeaning }, { signal, caller })
    return withNotice({ items: hits, ...rest }, notice)
  }

  const findEmbedded = async (by: ActiveEmbedder | undefined, request: SearchRequest): Promise<FoundPage> => {
    const understood = await understand(by, request)
    const found = await memory?.find({ ...request, meaning: understood.meaning })
    return found ? withNotice(found, understood.notice) : await findByStatements(request, understood)
  }

  /** The ranker embeds the question as it ranks: one call of its thread in place of two. */
  const findEmbedding = async (
    by: ActiveEmbedder, memory: MemorySearch, request: SearchRequest
  ): Promise<FoundPage> => {
    const { id, dimensions, scale: { unrelated, related } } = by
    const found = await memory.find({ ...request, meaning: { embedder: id, dimensions, unrelated, related } })
    if (!found) return await findByStatements(request, await understand(by, request))
    onQuery()
    return found
  }

  return {
    async prepare () {
      await engine.embed([], { kind: 'query' })
      await memory?.load((await registry.activeForQueries())?.id)
    },

    async find (request) {
      const by = await registry.activeForQueries()
      return memory && by?.embedder.engine === engine && by.embedder.dimensions === by.dimensions
        ? await findEmbedding(by, memory, request)
        : await findEmbedded(by, request)
    }
  }
}

const withNotice = (page: Page<SearchHit>, notice: string | undefined): FoundPage =>
  notice === undefined ? page : { ...page, notice: `${notice}: found by words alone, not by meaning.` }
