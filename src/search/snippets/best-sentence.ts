/**
 * The sentence that shows why a text was found: one that holds the question's words or, where none does, one near it in
 * meaning.
 */
import { MAX_COMPARED, type Passage, type Passages } from './passages.js'
import { saysSomething, withoutMarkdown } from './sentences.js'

/** How near each of some sentences is to a question. */
export type Nearness = (sentences: readonly string[]) => ArrayLike<number>

export interface SnippetQuery {
  /** What each word of the question weighs, by its stem. */
  words: Readonly<Record<string, number>>
  /** Absent where words have to do. */
  nearness?: Nearness | undefined
}

interface ScoredSentence { sentence: string, score: number }

const MAX_LENGTH = 300

/** Undefined when there is no sentence in it. */
export const bestSentence = (passages: Passages, { words, nearness }: SnippetQuery): string | undefined => {
  const weights = Object.entries(words).map(([stem, weight]) => [beginningOf(stem), weight] as const)
  const whole = weights.reduce((sum, [, weight]) => sum + weight, 0)
  const inBeginning = bestHolder(passages.beginning, weights)
  // No other sentence can hold more.
  if (inBeginning && inBeginning.score >= whole) return toSnippet(inBeginning.sentence)
  const around = passages.around(weights.map(([beginning]) => beginning))
  const byWords = best([inBeginning, around && bestHolder(around, weights)])
  if (byWords && (byWords.score >= whole / 2 || !nearness)) return toSnippet(byWords.sentence)
  const parts = around ? [passages.beginning, around] : [passages.beginning]
  const nearest = nearness && nearestSentence(parts, nearness)
  return toSnippet(nearest ?? parts.find(({ first }) => first !== undefined)?.first ?? '') || undefined
}

/** How words of that stem begin: it writes a final y as i. */
const beginningOf = (stem: string): string => stem.length > 3 && stem.endsWith('i') ? stem.slice(0, -1) : stem

/** The first of the best. */
const best = (sentences: ReadonlyArray<ScoredSentence | undefined>): ScoredSentence | undefined =>
  sentences.reduce((one, other) => other && (!one || other.score > one.score) ? other : one, undefined)

/** The sentence with the most of the question's words, by their weights; undefined when none has any. */
const bestHolder = (
  { text, lower, sentences, words }: Passage, weights: ReadonlyArray<readonly [beginning: string, weight: number]>
): ScoredSentence | undefined => {
  let scores: Float64Array | undefined
  for (const [beginning, weight] of weights) {
    // Mostly few of them stand anywhere in it.
    const at = words?.find(beginning) === -1 ? -1 : lower.indexOf(beginning)
    if (at !== -1) addToHolders(scores ??= new Float64Array(sentences.length), sentences, lower, beginning, at, weight)
  }
  const score = scores?.reduce((max, score) => Math.max(max, score), 0) ?? 0
  const holder = score > 0 ? sentences[scores?.indexOf(score) ?? -1] : undefined
  return holder && { sentence: text.slice(holder.from, holder.to), score }
}

/** Adds the weight to each sentence with a word that begins so, from its first place on. */
const addToHolders = (
  scores: Float64Array, sentences: Passage['sentences'], lower: string, beginning: string, first: number, weight: number
): void => {
  let place = 0
  let at = first
  while (at !== -1) {
    let sentence = sentences[place]
    while (sentence && sentence.to <= at) sentence = sentences[++place]
    if (!sentence) return
    const isHeld = at >= sentence.from && at + beginning.length <= sentence.to &&
      (at === sentence.from || !saysSomething(lower.charAt(at - 1)))
    if (isHeld) scores[place] = (scores[place] ?? 0) + weight
    // Once for each sentence.
    at = lower.indexOf(beginning, isHeld ? sentence.to : at + 1)
  }
}

const nearestSentence = ([beginning, around]: readonly Passage[], nearness: Nearness): string | undefined => {
  const own = beginning?.comparable ?? []
  const others = own.length < MAX_COMPARED ? around?.comparable.slice(0, MAX_COMPARED - own.length) ?? [] : []
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
