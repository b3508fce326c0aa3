/** Gives each hit the sentence that shows why it was found. */
import type { Hit } from '../planning/store.js'
import type { Found, SqlSearch } from '../db/sql-search.js'
import { beginningOf, bestSentence, type Asking } from './snippet.js'
import { surroundings } from './snippet-window.js'

/** `nearness` where words alone did not decide. */
export const explain = async (
  sql: Pick<SqlSearch, 'texts'>, found: readonly Found[], nearness: Asking['nearness'], signal?: AbortSignal
): Promise<Hit[]> => {
  if (found.length === 0) return []
  const words = found[0]!.words ?? {}
  const texts = await sql.texts(found.map(({ id }) => id), signal)
  const beginnings = Object.keys(words).map(beginningOf)
  const asking = { words, ...(nearness && { nearness }) }
  return found.map(({ coverage, words: _, ...hit }) => ({ ...hit, snippet: bestSentence(surroundings(texts.get(hit.id) ?? '', beginnings), asking) ?? hit.title }))
}
