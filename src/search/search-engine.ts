/**
 * What search computes: vectors of texts, ranks and snippets. It reads no database and knows no callers, so that it can
 * run in a thread of its own.
 */
import type { QueryOptions } from '../db/database.js'
import type { Ranker, RankRequest, SnippetRequest } from '../db/search-memory/ranker.js'
import { createSearchMemory } from '../db/search-memory/search-memory.js'
import { rankInMemory } from '../db/search-memory/rank-in-memory.js'
import type { Meaning } from '../db/sql-search.js'
import { createEventLoopYield } from '../lib/event-loop-yield.js'
import { asQuery, type EmbeddingText, type EmbedOptions } from './embedder.js'
import type { WordVectorEmbedder } from './embedders/word-vectors/word-vector-embedder.js'
import { bestSentence, queryWords, type Nearness } from './snippets/best-sentence.js'
import { createPassages, type Passages } from './snippets/passages.js'
import { createPassageStore } from './snippets/passage-store.js'
import { isZero } from './vector.js'

export interface SearchEngine extends Ranker {
  /** Vectors of the built-in embedder, in the order of the texts. */
  embed (texts: readonly EmbeddingText[], options: EmbedOptions): Promise<Float32Array[]>
  /** Resolves to the sentences that show why texts were found, by id; a text without a sentence has none. */
  explain (request: SnippetRequest, options?: QueryOptions): Promise<Map<string, string>>
}

/** After so many milliseconds other questions get their turn, between two texts of one. */
const SLICE_MS = 2
/** For the texts that were shown last. */
const MAX_PASSAGE_BYTES = 48_000_000
/** The same of texts that are known by nothing but themselves. */
const MAX_ANONYMOUS_BYTES = 16_000_000

/** Creates the engine. `openWords` is called when the first text has to be understood, and again after it failed. */
export const createSearchEngine = (openWords: () => Promise<WordVectorEmbedder>): SearchEngine => {
  const yieldToEventLoop = createEventLoopYield(SLICE_MS)
  let words: Promise<WordVectorEmbedder> | undefined
  const wordVectors = (): Promise<WordVectorEmbedder> => {
    words ??= openWords().catch((error: unknown) => {
      words = undefined
      throw error
    })
    return words
  }

  const nearnessTo = async (query: string, byMeaning: boolean): Promise<Nearness | undefined> =>
    byMeaning ? (await wordVectors()).nearTo(query) : undefined

  /** Embeds the question where nobody has. Undefined for one without meaning, or that says nothing. */
  const meaningOf = async (
    { query, meaning }: Pick<RankRequest, 'query' | 'meaning'>, signal?: AbortSignal
  ): Promise<Meaning | undefined> => {
    if (!meaning || meaning.vector) return meaning
    const [vector] = await (await wordVectors()).embed([asQuery(query)], { kind: 'query', signal })
    return vector && !isZero(vector) ? { ...meaning, vector } : undefined
  }

  /** Calls `onSnippet` for each text in turn. */
  const eachSnippet = async (
    { query, byMeaning, words }: Omit<SnippetRequest, 'texts'>, texts: Iterable<readonly [id: string, Passages]>,
    onSnippet: (id: string, snippet: string) => void, signal?: AbortSignal
  ): Promise<void> => {
    const snippetQuery = { words: queryWords(words), nearness: await nearnessTo(query, byMeaning) }
    for (const [id, passages] of texts) {
      await yieldToEventLoop()
      signal?.throwIfAborted()
      const snippet = bestSentence(passages, snippetQuery)
      if (snippet !== undefined) onSnippet(id, snippet)
    }
  }

  /** By the text itself: nothing else proves that it did not change. */
  const anonymous = createPassageStore(MAX_ANONYMOUS_BYTES)

  /** Passages are made one at a time, just before they are used. */
  const passagesOf = function * (
    texts: ReadonlyMap<string, string>, remember: (id: string, passages: Passages) => void = () => {}
  ): Generator<readonly [string, Passages]> {
    for (const [id, text] of texts) {
      const passages = anonymous.get(text) ?? createPassages(text)
      remember(id, passages)
      yield [id, passages]
    }
  }

  return {
    embed: async (texts, options) => await (await wordVectors()).embed(texts, options),

    async explain (request, { signal } = {}) {
      const snippets = new Map<string, string>()
      await eachSnippet(request, passagesOf(request.texts, (id, passages) => {
        anonymous.set(request.texts.get(id) ?? '', passages)
      }), (id, snippet) => { snippets.set(id, snippet) }, signal)
      return snippets
    },

    async begin () {
      const memory = createSearchMemory()
      const store = createPassageStore(MAX_PASSAGE_BYTES)
      return {
        async apply ({ ids, rows, revision }) {
          for (const id of ids) store.delete(id)
          return { counts: memory.apply(ids, rows, revision), fits: memory.fits }
        },

        async rank (request, { signal } = {}) {
          await yieldToEventLoop()
          signal?.throwIfAborted()
          const meaning = await meaningOf(request, signal)
          const reply = rankInMemory(memory, { ...request, meaning })
          if (reply.undecided) return reply
          // What changes while others have their turn does not change the texts that were ranked.
          const hits = new Map(reply.hits.map((hit) => [hit.summary.id, hit]))
          // The last of as many as were asked for is not shown.
          const texts = reply.hits.slice(0, request.limit - 1).flatMap(({ summary: { id } }) => {
            const passages = store.get(id)
            return passages ? [[id, passages] as const] : []
          })
          for (const [id] of texts) setSnippet(hits, id, '')
          await eachSnippet(
            { query: request.query, byMeaning: reply.byMeaning, words: Object.fromEntries(reply.weights) }, texts,
            (id, snippet) => setSnippet(hits, id, snippet), signal)
          return reply
        },

        async explain (request, { signal } = {}) {
          const snippets = new Map([...request.texts.keys()].map((id) => [id, '']))
          const remember = (id: string, passages: Passages): void => {
            if (memory.revision === request.revision) store.set(id, passages)
          }
          await eachSnippet(
            request, passagesOf(request.texts, remember), (id, snippet) => { snippets.set(id, snippet) }, signal)
          return snippets
        }
      }
    }
  }
}

const setSnippet = (hits: ReadonlyMap<string, { snippet: string | undefined }>, id: string, snippet: string): void => {
  const hit = hits.get(id)
  if (hit) hit.snippet = snippet
}
