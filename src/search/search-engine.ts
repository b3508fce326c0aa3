/** What search computes: vectors of texts, and snippets. It reads no database, so that it can run in a worker. */
import type { EmbeddingText, EmbedOptions } from './embedder.js'
import type { WordVectorEmbedder } from './embedders/word-vectors/word-vector-embedder.js'
import { bestSentence, queryWords } from './snippets/best-sentence.js'

export interface SearchEngine {
  /** Vectors of the built-in embedder, in the order of the texts. */
  embed (texts: readonly EmbeddingText[], options: EmbedOptions): Promise<Float32Array[]>
  /** Resolves to the sentences that show why texts were found, by id; a text without a sentence has none. */
  explain (request: SnippetRequest, signal?: AbortSignal): Promise<Map<string, string>>
}

export interface SnippetRequest {
  query: string
  /** Whether sentences near in meaning are wanted, where words do not decide. */
  byMeaning: boolean
  /** What each word of the query weighs, by its stem. */
  words: Readonly<Record<string, number>>
  texts: ReadonlyMap<string, string>
}

/** Creates the engine. `openWords` is called when the first text has to be embedded, and again after it failed. */
export const createSearchEngine = (openWords: () => Promise<WordVectorEmbedder>): SearchEngine => {
  let opened: Promise<WordVectorEmbedder> | undefined
  const wordVectors = (): Promise<WordVectorEmbedder> => {
    opened ??= openWords().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  return {
    embed: async (texts, options) => await (await wordVectors()).embed(texts, options),

    async explain ({ query, byMeaning, words, texts }) {
      const nearness = byMeaning ? (await wordVectors()).nearTo(query) : undefined
      const snippetQuery = { words: queryWords(words), nearness }
      return new Map([...texts].flatMap(([id, text]) => {
        const snippet = bestSentence(text, snippetQuery)
        return snippet === undefined ? [] : [[id, snippet] as const]
      }))
    }
  }
}
