/** Gives each hit the sentence that shows why it was found. */
import type { SearchHit } from '../planning/store.js'
import type { FoundWords, SqlSearch } from '../db/sql-search.js'
import { beginningOf, bestSentence, type SnippetQuery } from './snippet.js'
import { snippetWindow } from './snippet-window.js'

/** `nearness` where words alone did not decide. */
export const addSnippets = async (
  sql: Pick<SqlSearch, 'texts'>, found: readonly FoundWords[], nearness: SnippetQuery['nearness'], signal?: AbortSignal
): Promise<SearchHit[]> => {
  if (found.length === 0) return []
  const words = found[0]!.words ?? {}
  const texts = await sql.texts(found.map(({ id }) => id), signal)
  const beginnings = Object.keys(words).map(beginningOf)
  const snippetQuery = { words, ...(nearness && { nearness }) }
  return found.map(({ coverage, words: _, ...hit }) => ({
    ...hit, snippet: bestSentence(snippetWindow(texts.get(hit.id) ?? '', beginnings), snippetQuery) ?? hit.title
  }))
}
