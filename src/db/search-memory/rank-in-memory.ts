/** Answers a request by what the memory holds: which explorations, in which order. */
import { holdsPhrases } from './phrases.js'
import { rankExplorations } from './rank-explorations.js'
import type { Meaning } from '../sql-search.js'
import type { RankReply, RankRequest } from './ranker.js'
import type { SearchMemory } from './search-memory.js'
import { weighWords } from './weigh-words.js'

/** A request whose question has been embedded. */
type EmbeddedRequest = Omit<RankRequest, 'meaning'> & { meaning: Meaning | undefined }

/** Without snippets. */
export const rankInMemory = (
  memory: Pick<SearchMemory, 'view' | 'numberOf'>, { visible, stems, phrases, alike, ...question }: EmbeddedRequest
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
    byMeaning: question.meaning !== undefined,
    weights: words.weights,
    hits: ranked.map((hit) => ({ ...hit, snippet: undefined }))
  }
}
