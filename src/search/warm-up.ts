/**
 * Asks the search some questions before anybody else does: the first ones take the embedded database ten times as long as the others,
 * as it compiles its own code, plans the statement and reads the indexes then, and all callers would wait meanwhile.
 */
import type { Search } from '../planning/store.js'

export interface WarmUpDeps {
  search: Search
  /** Ids of some workspaces that have explorations, and titles of some of these. */
  sample (): Promise<{ visible: readonly string[], titles: readonly string[] }>
  /** The time in milliseconds, from any start. */
  now? (): number
}

/** From the sixth time on a statement is not planned again. */
const QUESTIONS = 7
/** As long as a question may be, in characters. */
const QUESTION_LENGTH = 300
/** No more questions after so many milliseconds. */
const MAX_MS = 3000
const LIMIT = 50

export const warmUpSearch = async ({ search, sample, now = () => performance.now() }: WarmUpDeps): Promise<void> => {
  const deadline = now() + MAX_MS
  const { visible, titles } = await sample()
  const text = titles.join(' ')
  if (text === '') return
  for (let asked = 0; asked < QUESTIONS && now() < deadline; asked++) {
    // Each another one, of the same length where there is text enough.
    const from = Math.min(asked * QUESTION_LENGTH, Math.max(0, text.length - QUESTION_LENGTH))
    await search.find({ query: text.slice(from, from + QUESTION_LENGTH).trim(), visible, limit: LIMIT })
  }
}
