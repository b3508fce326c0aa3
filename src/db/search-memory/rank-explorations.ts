/**
 * Ranks explorations in memory as the three statements of a search do (`search-words-statement.ts`,
 * `search-nearest-statement.ts`, `search-ranking-statement.ts`), for a caller who sees so few that each word is counted
 * and each vector compared.
 */
import type { Meaning } from '../sql-search.js'
import { MIN_COVERAGE, type SearchQuestion } from '../search-question.js'
import { MAX_NEAREST } from '../search-nearest-statement.js'
import { ALIKE, EXACT, MAX_RESCORED, REFERRED } from '../search-ranking-statement.js'
import { WEIGHTS } from '../search-weights.js'
import type { SearchScope } from '../search-scope.js'
import { MAX_BY_WORDS } from '../search-words-statement.js'
import type { ExplorationSummary } from '../../planning/store.js'
import { largest } from './largest.js'
import { rankOf } from './lexeme-ranks.js'
import { eachNearest } from './nearest-vectors.js'
import { placeOf, type IndexedExploration } from './indexed-exploration.js'
import type { SearchView } from './search-view.js'
import type { WeighedWords } from './weigh-words.js'

export interface RankQuestion extends
  Pick<SearchQuestion, 'after' | 'id' | 'reference'>, Pick<SearchScope, 'statuses' | 'tag'> {
  /** In small letters, as the database writes them. */
  title: string | undefined
  words: WeighedWords
  /** Whether an exploration holds all quoted phrases; undefined when there are none. */
  isQuoted: ((exploration: IndexedExploration) => boolean) | undefined
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
export const rankExplorations = (view: SearchView, question: RankQuestion): RankedExploration[] => {
  const minCoverage = MIN_COVERAGE[question.meaning ? 'withMeaning' : 'alone']
  const candidates = candidatesFor(view, question)
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
      const { exploration } = candidate
      const quoted = question.isQuoted?.(exploration) ?? false
      return { candidate, exploration, quoted, score: scoreOf(candidate, rank, quoted) }
    })
    .filter(({ candidate: { named, coverage, meaning }, quoted }) =>
      named > 0 || quoted || coverage >= minCoverage || meaning > 0)
    .filter(({ score, exploration: { summary: { id } } }) => isAfter(score, id, question.after))
    .sort((one, other) => other.score - one.score || byId(one, other))
    .slice(0, question.limit)
    .map(({ candidate: { coverage }, exploration: { summary }, score }) => ({ summary, score, coverage }))
}

/** By place, whether an exploration has the status and the tag that are wanted; undefined when each has. */
const wantedOf = (
  explorations: readonly IndexedExploration[], { statuses, tag }: Pick<RankQuestion, 'statuses' | 'tag'>
): readonly boolean[] | undefined => statuses === null && tag === undefined
  ? undefined
  : explorations.map(({ summary: { status, tags } }) =>
    (statuses === null || statuses.includes(status)) && (tag === undefined || tags.includes(tag)))

const candidatesFor = ({ explorations, vectors }: SearchView, question: RankQuestion): Candidate[] => {
  const { words: { coverage }, meaning } = question
  const wanted = wantedOf(explorations, question)
  const candidates = new Map<number, Candidate>()
  const candidate = (place: number): Candidate => {
    let found = candidates.get(place)
    if (!found) {
      found = { exploration: explorations[place]!, coverage: 0, meaning: 0, named: 0, closeness: 0 }
      candidates.set(place, found)
    }
    return found
  }
  const covered: number[] = []
  const name = naming(question)
  for (let place = 0; place < explorations.length; place++) {
    if (wanted && !wanted[place]) continue
    if (coverage[place]! > 0) covered.push(place)
    const named = name(explorations[place]!)
    if (named > 0) candidate(place).named = named
  }
  const byIdAt = (one: number, other: number): number =>
    byId({ exploration: explorations[one]! }, { exploration: explorations[other]! })
  for (const place of largest(covered, MAX_BY_WORDS, (place) => coverage[place]!, byIdAt)) {
    candidate(place).coverage = coverage[place]!
  }
  if (meaning) {
    const { unrelated, related, vector } = meaning
    // What is no nearer than that has no meaning for the question, and is found by its words or not at all.
    eachNearest(vectors, vector, { limit: MAX_NEAREST, above: unrelated, wanted }, (owner, cosine) => {
      const near = candidate(owner)
      near.meaning = Math.max(near.meaning, Math.min(1, (cosine - unrelated) / (related - unrelated)))
    })
  }
  return [...candidates.values()]
}

/** How the question names an exploration; 0 when it does not. */
const naming = (question: RankQuestion): (exploration: IndexedExploration) => number => {
  const { reference, title, alike } = question
  const id = question.id?.toLowerCase()
  return (exploration) => exploration.summary.id === id || exploration.title === title
    ? EXACT
    : reference !== undefined && exploration.reference === reference
      ? REFERRED
      : alike.size > 0 && alike.has(exploration.summary.id) ? ALIKE : 0
}

const closenessOf = ({ meaning, coverage }: Candidate): number =>
  1 - (1 - meaning) * (1 - WEIGHTS.words * coverage ** 3)

/** What the question's words in a text add to its rank, in the order in which PostgreSQL adds. */
const sharesIn = ({ words, shares }: IndexedExploration, { sorted }: WeighedWords): number[] => {
  const found: number[] = []
  for (const word of sorted) {
    const place = placeOf(words, word)
    if (place !== -1) found.push(shares[place] ?? 0)
  }
  return found
}

const scoreOf = ({ named, coverage, meaning }: Candidate, rank: number, quoted: boolean): number => {
  const words = Math.max(named === ALIKE ? WEIGHTS.alike : 0, WEIGHTS.words * coverage ** 3 * rank)
  const closeness = 1 - (1 - meaning) * (1 - words)
  const unnamed = quoted ? WEIGHTS.quoted + WEIGHTS.besideQuoted * closeness : WEIGHTS.unnamed * closeness
  const score = named === EXACT ? 1 : named === REFERRED ? WEIGHTS.referred : unnamed
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
