/** Search as tools have it: by words and by meaning; by words alone, and saying so, while questions cannot be embedded. */
import { remember } from '../lib/lru.js'
import type { Search } from '../planning/store.js'
import type { Meaning, SqlSearch } from '../db/sql-search.js'
import type { AdoptedEmbedders, Answering } from './embedder-registry.js'
import type { Builtin } from './embedders/word-vectors/word-vector-embedder.js'
import { EmbedderAway, type Embedder } from './embedder.js'
import { explain } from './add-snippets.js'

export interface FindingParts {
  sql: SqlSearch
  adopted: Pick<AdoptedEmbedders, 'answering'>
  /** Compares the question with single sentences; built in, as it is asked about many. */
  sentences (): Promise<Pick<Builtin, 'nearTo'>>
  /** Told of each question whether it could be embedded, or why not. */
  asked? (trouble?: string): void
}

const QUESTIONS_KEPT = 500

export const finding = ({ sql, adopted, sentences, asked = () => {} }: FindingParts): Search => {
  const known = new Map<string, Float32Array>()

  const embed = async (by: Embedder, query: string, signal?: AbortSignal): Promise<Float32Array> => {
    const key = `${by.id} ${by.version} ${query}`
    const vector = known.get(key) ?? (await by.embed([{ parts: [{ text: query, weight: 1 }] }], { kind: 'query', signal }))[0]!
    return remember(known, key, vector, QUESTIONS_KEPT)
  }

  const meaningOf = async (query: string, signal?: AbortSignal): Promise<{ meaning?: Meaning, notice?: string }> => {
    try {
      const by = await adopted.answering()
      if (!by) return { notice: 'The index of meanings is not made yet' }
      const meaning = await asMeaning(by, query, signal)
      asked()
      return meaning ? { meaning } : {}
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof EmbedderAway)) throw error
      asked(error.message)
      return { notice: 'The embedder cannot be asked now' }
    }
  }

  const asMeaning = async (by: Answering, query: string, signal?: AbortSignal): Promise<Meaning | undefined> => {
    const { embedder, id, dimensions, scale } = by
    const vector = await embed(embedder, query, signal)
    if (vector.length !== dimensions) throw new EmbedderAway(`${embedder.id} gave ${vector.length} numbers in place of ${dimensions}`, 'lasting')
    return vector.some((value) => value !== 0) ? { embedder: id, dimensions, vector, ...scale } : undefined
  }

  return {
    async find (request) {
      const { query, signal } = request
      const { meaning, notice } = await meaningOf(query, signal)
      const { items, ...rest } = await sql.find({ ...request, meaning })
      const nearness = meaning && items.length > 0 ? (await sentences()).nearTo(query) : undefined
      return {
        items: await explain(sql, items, nearness, signal),
        ...rest,
        ...(notice !== undefined && { notice: `${notice}: found by words alone, not by meaning.` })
      }
    }
  }
}
