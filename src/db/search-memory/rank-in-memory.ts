/** Answers a request by what the memory holds: which explorations, in which order. */
import { holdsPhrases } from './phrases.js'
import { rankExplorations } from './rank-explorations.js'
import type { RankReply, RankRequest } from './ranker.js'
import type { SearchMemory } from './search-memory.js'
import { weighWords } from './weigh-words.js'

/** Without snippets. */
export const rankInMemory = (
  memory: Pick<SearchMemory, 'view' | 'numberOf'>, { visible, stems, phrases, alike, ...question }: RankRequest
): RankReply => {
  const view = memory.view(visible)
  const words = weighWords(view, stems, memory.numberOf)
  if (alike === undefined && !words.allKnown) return { undecided: true }
  const ranked = rankExplorations(view, {
    ...question,
    words,
    isQuoted: phrases.length > 0 ? holdsPhrases(phrases, memory.numberOf) : undefined,
    alike: new Set(alike)
  })
  return {
    undecided: false,
    weights: words.weights,
    hits: ranked.map((hit) => ({ ...hit, snippet: undefined }))
  }
}
