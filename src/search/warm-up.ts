/**
 * Runs some searches at the start. The first ones take the embedded database ten times as long, because it compiles its
 * own code, plans the statement and reads the indexes, and would delay all callers.
 */
import type { SearchRequest } from '../planning/store.js'

export interface WarmUpDeps {
  search: { find (question: SearchRequest): Promise<unknown> }
  /** Ids of workspaces with explorations, and titles of some of these. */
  sample (): Promise<{ visible: readonly string[], titles: readonly string[] }>
  /** The current time in milliseconds, from any epoch. */
  now? (): number
}

/** From the sixth run on, a statement is not planned again. */
const QUESTIONS = 7
/** Length of a query in characters: the longest that is allowed. */
const QUESTION_LENGTH = 300
/** No more searches after this many milliseconds. */
const MAX_MS = 3000
const LIMIT = 50

/** Searches for pieces of the sample's titles; at most 7 times and 3 s. */
export const warmUpSearch = async ({ search, sample, now = () => performance.now() }: WarmUpDeps): Promise<void> => {
  const deadline = now() + MAX_MS
  const { visible, titles } = await sample()
  const text = titles.join(' ')
  if (text === '') return
  for (let count = 0; count < QUESTIONS && now() < deadline; count++) {
    // A different query each time, of the same length if there is enough text.
    const from = Math.min(count * QUESTION_LENGTH, Math.max(0, text.length - QUESTION_LENGTH))
    await search.find({ query: text.slice(from, from + QUESTION_LENGTH).trim(), visible, limit: LIMIT })
  }
}
