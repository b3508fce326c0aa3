/**
 * The sentence that shows why a text was found: one that holds the question's words or, where none does, one near it in
 * meaning.
 */
import { MAX_COMPARED_SENTENCES, type Passage } from './passage.js'
import type { Passages } from './passages.js'
import { isIndexed } from './word-holders.js'
import { saysSomething, withoutMarkdown } from './sentences.js'

/** How near each of some sentences is to a question. */
export type Nearness = (sentences: readonly string[]) => ArrayLike<number>

export interface SnippetQuery {
  words: readonly QueryWord[]
  /** Absent where words have to do. */
  nearness?: Nearness | undefined
}

/** How words of a stem begin, in small letters, what they weigh, and whether they are found in an index of words. */
export interface QueryWord { beginning: string, weight: number, isIndexed: boolean }

interface ScoredSentence { sentence: string, score: number }

const MAX_LENGTH = 300

/** What to look for, by stem. */
export const queryWords = (words: Readonly<Record<string, number>>): QueryWord[] =>
  Object.entries(words).map(([stem, weight]) => {
    const beginning = beginningOf(stem)
    return { beginning, weight, isIndexed: isIndexed(beginning) }
  })

/** Undefined when there is no sentence in it. */
export const bestSentence = (passages: Passages, { words, nearness }: SnippetQuery): string | undefined => {
  const whole = sumOf(words)
  // Sentences with less of the words count only where meaning does not.
  const least = nearness ? whole / 2 : 0
  const { beginning } = passages
  const inBeginning = bestHolder(beginning, words, least)
  // No other sentence can hold more.
  if (inBeginning && inBeginning.score >= whole) return toSnippet(inBeginning.sentence)
  const around = passages.around(words)
  const byWords = best([inBeginning, around && bestHolder(around, words, inBeginning?.score ?? least)])
  if (byWords) return toSnippet(byWords.sentence)
  const nearest = nearness && nearestSentence(beginning, around, nearness)
  return toSnippet(nearest ?? beginning.first ?? around?.first ?? '') || undefined
}

const sumOf = (words: readonly QueryWord[]): number => words.reduce((sum, { weight }) => sum + weight, 0)

/** How words of that stem begin: it writes a final y as i. */
const beginningOf = (stem: string): string => stem.length > 3 && stem.endsWith('i') ? stem.slice(0, -1) : stem

/** The first of the best. */
const best = (sentences: ReadonlyArray<ScoredSentence | undefined>): ScoredSentence | undefined =>
  sentences.reduce((one, other) => other && (!one || other.score > one.score) ? other : one, undefined)

/** By sentence, what it holds; used for one passage after the other. */
let scores = new Float64Array(256)

/**
 * The sentence with the most of the question's words, by their weights; undefined when none has any, or none as much as
 * `least`.
 */
const bestHolder = (passage: Passage, words: readonly QueryWord[], least: number): ScoredSentence | undefined => {
  const firsts = words.map((word) => firstOf(passage, word))
  // If all that stand anywhere stood in one sentence: mostly they are too few.
  const most = words.reduce((sum, { weight }, number) => firsts[number] === -1 ? sum : sum + weight, 0)
  if (most === 0 || most < least) return undefined
  const { text, sentences } = passage
  if (scores.length < sentences.length) scores = new Float64Array(sentences.length * 2)
  scores.fill(0, 0, sentences.length)
  words.forEach((word, number) => {
    eachHolder(passage, word, firsts[number] ?? -1, (place) => { scores[place]! += word.weight })
  })
  let place = 0
  for (let other = 1; other < sentences.length; other++) if (scores[other]! > scores[place]!) place = other
  const [holder, score] = [sentences[place], scores[place] ?? 0]
  return holder && score > 0 && score >= least ? { sentence: text.slice(holder.from, holder.to), score } : undefined
}

/** The first of the words that begin so: its number in the index, or else where it is; -1 when there is none. */
const firstOf = ({ lower, words }: Passage, { beginning, isIndexed }: QueryWord): number =>
  words && isIndexed ? words.find(beginning) : lower.indexOf(beginning)

/** Calls `onSentence` with the number of each sentence that has a word which begins so, once. */
const eachHolder = (
  { lower, sentences, words }: Passage, { beginning, isIndexed }: QueryWord, first: number,
  onSentence: (place: number) => void
): void => {
  if (first === -1) return
  if (words && isIndexed) {
    words.eachHolder(first, beginning, onSentence)
    return
  }
  let place = 0
  let at = first
  while (at !== -1) {
    let sentence = sentences[place]
    while (sentence && sentence.to <= at) sentence = sentences[++place]
    if (!sentence) return
    const isHeld = at >= sentence.from && at + beginning.length <= sentence.to &&
      (at === sentence.from || !saysSomething(lower.charAt(at - 1)))
    if (isHeld) onSentence(place)
    // Once for each sentence.
    at = lower.indexOf(beginning, isHeld ? sentence.to : at + 1)
  }
}

const nearestSentence = (
  beginning: Passage, around: Passage | undefined, nearness: Nearness
): string | undefined => {
  const own = beginning.comparable
  const others = around && own.length < MAX_COMPARED_SENTENCES
    ? around.comparable.slice(0, MAX_COMPARED_SENTENCES - own.length)
    : []
  return best([own, others].map((sentences) => {
    if (sentences.length === 0) return undefined
    const scores = nearness(sentences)
    let place = 0
    for (let other = 1; other < sentences.length; other++) {
      if ((scores[other] ?? 0) > (scores[place] ?? 0)) place = other
    }
    return { sentence: sentences[place] ?? '', score: scores[place] ?? 0 }
  }))?.sentence
}

/** On one line, and not too long. */
const toSnippet = (sentence: string): string => {
  const line = withoutMarkdown(sentence.replace(/\s+/g, ' ').trim())
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH).replace(/\s\S*$/, '')} …`
}
