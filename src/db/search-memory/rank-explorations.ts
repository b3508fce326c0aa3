/**
 * Ranks explorations in memory as the three statements of a search do (`search-words-statement.ts`,
 * `search-nearest-statement.ts`, `search-ranking-statement.ts`), for a caller who sees so few that each word is counted
 * and each vector compared.
 */
import type { Meaning } from '../sql-search.js'
import { MIN_COVERAGE, type SearchQuestion } from '../search-question.js'
import { MAX_NEAREST } from '../search-nearest-statement.js'
import { ALIKE, EXACT, MAX_RESCORED, REFERRED, WEIGHTS } from '../search-ranking-statement.js'
import type { SearchScope } from '../search-scope.js'
import { MAX_BY_WORDS } from '../search-words-statement.js'
import type { ExplorationSummary } from '../../planning/store.js'
import { largest } from './largest.js'
import { rankOf } from './lexeme-ranks.js'
import { eachNearest } from './nearest-vectors.js'
import { placeOf, type IndexedExploration } from './indexed-exploration.js'
import type { WeighedWords } from './weigh-words.js'

export interface RankQuestion extends
  Pick<SearchQuestion, 'after' | 'id' | 'reference'>, Pick<SearchScope, 'statuses' | 'tag'> {
  /** In small letters, as the database writes them. */
  title: string | undefined
  words: WeighedWords
  /** Ids of explorations whose titles are nearly what the question says. */
  alike: ReadonlySet<string>
  meaning: Meaning | undefined
  /** Most hits. */
  limit: number
}

export interface RankedExploration { summary: ExplorationSummary, score: number, coverage: number }

interface Candidate {
  exploration: IndexedExploration
  coverage: number
  meaning: number
  named: number
  /** By words and meaning, without their rank. */
  closeness: number
}

/** Returns the hits after `after`, the best first. */
export const rankExplorations = (
  explorations: readonly IndexedExploration[], question: RankQuestion
): RankedExploration[] => {
  const minCoverage = MIN_COVERAGE[question.meaning ? 'withMeaning' : 'alone']
  const candidates = candidatesFor(wantedOf(explorations, question), question)
  for (const candidate of candidates) candidate.closeness = closenessOf(candidate)
  const close = candidates
    .sort((one, other) => other.named - one.named || other.closeness - one.closeness || byId(one, other))
    .slice(0, MAX_RESCORED)
  const ranks = close.map(({ exploration, coverage }) =>
    coverage >= minCoverage ? rankOf(sharesIn(exploration, question.words), question.words.weights.length) : 0)
  const highest = Math.max(0, ...ranks)
  return close
    .map((candidate, place) => {
      const rank = highest > 0 ? Math.fround((ranks[place] ?? 0) / highest) : 0
      return { candidate, exploration: candidate.exploration, score: scoreOf(candidate, rank) }
    })
    .filter(({ candidate: { named, coverage, meaning } }) => named > 0 || coverage >= minCoverage || meaning > 0)
    .filter(({ score, exploration: { summary: { id } } }) => isAfter(score, id, question.after))
    .sort((one, other) => other.score - one.score || byId(one, other))
    .slice(0, question.limit)
    .map(({ candidate: { coverage }, exploration: { summary }, score }) => ({ summary, score, coverage }))
}

const wantedOf = (
  explorations: readonly IndexedExploration[], { statuses, tag }: Pick<RankQuestion, 'statuses' | 'tag'>
): readonly IndexedExploration[] => statuses === null && tag === undefined
  ? explorations
  : explorations.filter(({ summary: { status, tags } }) =>
    (statuses === null || statuses.includes(status)) && (tag === undefined || tags.includes(tag)))

const candidatesFor = (explorations: readonly IndexedExploration[], question: RankQuestion): Candidate[] => {
  const { words, meaning, alike } = question
  const candidates = new Map<IndexedExploration, Candidate>()
  const candidate = (exploration: IndexedExploration): Candidate => {
    let found = candidates.get(exploration)
    if (!found) candidates.set(exploration, found = { exploration, coverage: 0, meaning: 0, named: 0, closeness: 0 })
    return found
  }
  const covered = explorations.filter((exploration) => words.coverage.has(exploration))
    .map((exploration) => ({ exploration, coverage: words.coverage.get(exploration) ?? 0 }))
  for (const { exploration, coverage } of largest(covered, MAX_BY_WORDS, ({ coverage }) => coverage, byId)) {
    candidate(exploration).coverage = coverage
  }
  if (meaning) {
    const { unrelated, related, vector } = meaning
    // What is no nearer than that has no meaning for the question, and is found by its words or not at all.
    eachNearest(explorations, vector, { limit: MAX_NEAREST, above: unrelated }, (exploration, cosine) => {
      const near = candidate(exploration)
      near.meaning = Math.max(near.meaning, Math.min(1, (cosine - unrelated) / (related - unrelated)))
    })
  }
  const id = question.id?.toLowerCase()
  for (const exploration of explorations) {
    const { summary, title, reference } = exploration
    const named = summary.id === id || title === question.title
      ? EXACT
      : question.reference !== undefined && reference === question.reference
        ? REFERRED
        : alike.has(summary.id) ? ALIKE : 0
    if (named > 0) candidate(exploration).named = named
  }
  return [...candidates.values()]
}

const closenessOf = ({ meaning, coverage }: Candidate): number =>
  1 - (1 - meaning) * (1 - WEIGHTS.words * coverage ** 3)

/** What the question's words in a text add to its rank, in the order in which PostgreSQL adds. */
const sharesIn = ({ words, shares }: IndexedExploration, { sorted }: WeighedWords): number[] =>
  sorted.flatMap((word) => shares[placeOf(words, word)] ?? [])

const scoreOf = ({ named, coverage, meaning }: Candidate, rank: number): number => {
  const words = Math.max(named === ALIKE ? WEIGHTS.alike : 0, WEIGHTS.words * coverage ** 3 * rank)
  const score = named === EXACT
    ? 1
    : named === REFERRED ? WEIGHTS.referred : WEIGHTS.unnamed * (1 - (1 - meaning) * (1 - words))
  return roundHalfToEven(1e6 * score) / 1e6
}

const roundHalfToEven = (number: number): number => {
  const rounded = Math.round(number)
  return rounded - number === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

const isAfter = (score: number, id: string, after: RankQuestion['after']): boolean =>
  after === undefined || score < after[0] || (score === after[0] && id > after[1].toLowerCase())

const byId = (
  { exploration: { summary: one } }: Pick<Candidate, 'exploration'>,
  { exploration: { summary: other } }: Pick<Candidate, 'exploration'>
): number => one.id < other.id ? -1 : one.id > other.id ? 1 : 0
