/** Remembers for a moment of which workspaces search sees many explorations, which takes long to count. */
import { lruSet } from '../lib/lru.js'
import type { QuestionWords } from './search-words-statement.js'

/** What of the row of an earlier search holds for a later one too. */
export type SearchScale = Pick<QuestionWords, 'size' | 'fewVectors'>

export interface SearchScales {
  /** What was remembered of these workspaces; undefined when nothing, or too long ago. */
  get (visible: readonly string[]): SearchScale | undefined
  set (visible: readonly string[], scale: SearchScale): void
}

/**
 * Milliseconds. It decides nothing but how much words weigh, which goes by a count of all explorations that may be
 * older still, and by which index they are found. What a caller may see is asked for each time.
 */
const MAX_AGE = 10_000
const MAX_SCALES = 500

/** Creates an empty memory. */
export const createSearchScales = (): SearchScales => {
  const scales = new Map<string, SearchScale & { until: number }>()
  const keyOf = (visible: readonly string[]): string => visible.join()
  return {
    get (visible) {
      const scale = scales.get(keyOf(visible))
      return scale && performance.now() < scale.until ? scale : undefined
    },

    set (visible, scale) {
      lruSet(scales, keyOf(visible), { ...scale, until: performance.now() + MAX_AGE }, MAX_SCALES)
    }
  }
}
