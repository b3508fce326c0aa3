/**
 * The port of ranking in memory. It may run in another thread, which knows nothing of callers: it is told which
 * workspaces a caller may see.
 */
import type { ExplorationSummary } from '../../planning/store.js'
import type { QueryOptions } from '../database.js'
import type { Meaning, MeaningScale } from '../sql-search.js'
import type { SearchQuestion } from '../search-question.js'
import type { SearchScope } from '../search-scope.js'
import type { ExplorationRow } from './memory-statements.js'
import type { Phrase } from './phrases.js'

export interface Ranker {
  /** Begins an empty memory; what the one before held is dropped. */
  begin (): Promise<RankerMemory>
}

/** Each method rejects with `RankerLost` when what it held is gone, because its thread ended or another one began. */
export interface RankerMemory {
  /** Takes what the database has of these explorations, at this revision; those without a row are gone. */
  apply (change: MemoryChange): Promise<MemorySize>
  rank (request: RankRequest, options?: QueryOptions): Promise<RankReply>
  /** Remembers the texts too, unless a later revision was applied meanwhile. Resolves to snippets by id. */
  explain (request: SnippetRequest & { revision: number }, options?: QueryOptions): Promise<Map<string, string>>
}

export interface MemoryChange { ids: readonly string[], rows: readonly ExplorationRow[], revision: number }

export interface MemorySize {
  /** Whether there is room for all. */
  fits: boolean
  /** The workspaces that the change concerned, with how many explorations they have now. */
  counts: ReadonlyMap<string, number>
}

export interface RankRequest extends
  Pick<SearchQuestion, 'after' | 'id' | 'reference'>, SearchScope, Pick<SnippetRequest, 'query'> {
  /** In small letters, as the database writes them. */
  title: string | undefined
  /** In the order of the question. */
  stems: readonly string[]
  /** Those that the question has in quotation marks. */
  phrases: readonly Phrase[]
  /** Ids of explorations whose titles are nearly the question; undefined when nobody has looked yet. */
  alike: readonly string[] | undefined
  meaning: RankMeaning | undefined
  /** Most hits: one more than are shown, to know whether there are more. */
  limit: number
}

/** By a vector of the question; without one, the ranker embeds `query` by the words that it has. */
export type RankMeaning = Meaning | (MeaningScale & { vector?: undefined })

/** `undecided`: some word is unknown, so that it depends on the titles that are alike. */
export type RankReply = { undecided: true } | {
  undecided: false
  /** Whether the question's vector says something: it was ranked by words alone otherwise. */
  byMeaning: boolean
  /** What each word of the question weighs, by its stem. */
  weights: ReadonlyArray<readonly [lexeme: string, weight: number]>
  hits: RankedHit[]
}

export interface RankedHit {
  summary: ExplorationSummary
  score: number
  coverage: number
  /** Undefined when the text is not in memory, or it is the last of as many hits as were asked for. */
  snippet: string | undefined
}

export interface SnippetRequest {
  query: string
  /** Whether sentences near in meaning are wanted, where words do not decide. */
  byMeaning: boolean
  /** What each word of the question weighs, by its stem. */
  words: Readonly<Record<string, number>>
  /** By id. */
  texts: ReadonlyMap<string, string>
}

/** What a `RankerMemory` held is gone. */
export class RankerLost extends Error {
  constructor () {
    super('The memory of search is gone.')
    this.name = 'RankerLost'
  }
}
