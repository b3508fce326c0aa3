/** Gives each hit the sentence that shows why it was found. */
import { createEventLoopYield } from '../lib/event-loop-yield.js'
import type { SearchHit } from '../planning/store.js'
import type { QueryOptions } from '../db/database.js'
import type { FoundWords, SqlSearch } from '../db/sql-search.js'
import { beginningOf, bestSentence, type SnippetQuery } from './snippet.js'
import { snippetWindow } from './snippet-window.js'

/**
 * For so many milliseconds hits may be read one after the other: one takes a few, fifty long ones would make every
 * other caller wait.
 */
const SLICE_MS = 2

const yieldToEventLoop = createEventLoopYield(SLICE_MS)

/**
 * Returns the hits, each with its best sentence, or with its title where it has none.
 * @param similarity compares a sentence with the question; undefined when words alone decide
 * @throws the reason of `signal` when it is aborted
 */
export const addSnippets = async (
  sql: Pick<SqlSearch, 'texts'>,
  found: readonly FoundWords[],
  similarity: SnippetQuery['similarity'],
  options: QueryOptions = {}
): Promise<SearchHit[]> => {
  if (found.length === 0) return []
  const words = found[0]!.words ?? {}
  const texts = await sql.texts(found.map(({ id }) => id), options)
  const prefixes = Object.keys(words).map(beginningOf)
  const snippetQuery = { words, ...(similarity && { similarity }) }
  const hits: SearchHit[] = []
  for (const { coverage, words: _, ...hit } of found) {
    await yieldToEventLoop()
    options.signal?.throwIfAborted()
    hits.push({
      ...hit, snippet: bestSentence(snippetWindow(texts.get(hit.id) ?? '', prefixes), snippetQuery) ?? hit.title
    })
  }
  return hits
}
