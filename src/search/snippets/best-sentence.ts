/**
 * The sentence that shows why a text was found: one that holds the query's words or, where none holds enough of them,
 * one near it in meaning.
 */
import { beginningOf, passageAround, type Passage } from './passage.js'
import { saysSomething, withoutMarkdown } from './sentences.js'

/** How near each of some sentences is to a query. */
export type Nearness = (sentences: readonly string[]) => ArrayLike<number>

export interface SnippetQuery {
  words: readonly QueryWord[]
  /** Absent where words have to do. It takes longer than all else. */
  nearness?: Nearness | undefined
}

/** How words of a stem begin, in small letters, and what they weigh. */
export interface QueryWord { beginning: string, weight: number }

interface ScoredSentence { sentence: string, score: number }

const MAX_LENGTH = 300
/** A sentence with less of the words, by their weights, shows less than one that is near in meaning. */
const MIN_SHARE = 1 / 3

/** What to look for, by stem. */
export const queryWords = (words: Readonly<Record<string, number>>): QueryWord[] =>
  Object.entries(words).map(([stem, weight]) => ({ beginning: beginningOfWords(stem), weight }))

/** Undefined when there is no sentence in it. */
export const bestSentence = (text: string, { words, nearness }: SnippetQuery): string | undefined => {
  const whole = words.reduce((sum, { weight }) => sum + weight, 0)
  const least = nearness ? whole * MIN_SHARE : 0
  const beginning = beginningOf(text)
  const inBeginning = bestHolder(beginning, words, least)
  // No other sentence can hold more.
  if (inBeginning && inBeginning.score >= whole) return toSnippet(inBeginning.sentence)
  const around = passageAround(text, words)
  const byWords = (around && bestHolder(around, words, inBeginning?.score ?? least, inBeginning)) ?? inBeginning
  const nearest = byWords?.sentence ?? (nearness && nearestOf(beginning.comparable, nearness))
  return toSnippet(nearest ?? beginning.first ?? around?.first ?? '') || undefined
}

/** How words of that stem begin: it writes a final y as i. */
const beginningOfWords = (stem: string): string => stem.length > 3 && stem.endsWith('i') ? stem.slice(0, -1) : stem

/**
 * The first sentence with the most of the query's words, by their weights; `other` when none has more than that one,
 * undefined when none has any, or none as much as `least`.
 */
const bestHolder = (
  passage: Passage, words: readonly QueryWord[], least: number, other?: ScoredSentence
): ScoredSentence | undefined => {
  const found = words.filter(({ beginning }) => passage.lower.includes(beginning))
  // If all that stand anywhere stood in one sentence: mostly they are too few.
  const most = found.reduce((sum, { weight }) => sum + weight, 0)
  if (most === 0 || most < least) return other
  const scores = new Float64Array(passage.sentences.length)
  for (const { beginning, weight } of found) {
    for (const holder of holdersOf(passage, beginning)) scores[holder]! += weight
  }
  const index = indexOfMost(scores)
  const [holder, score] = [passage.sentences[index], scores[index] ?? 0]
  if (!holder || score === 0 || score < least || (other && score <= other.score)) return other
  const [sentence, next] = [passage.textOf(holder), passage.sentences[index + 1]]
  const isHeading = next !== undefined && /^#{1,6} .{1,24}$/.test(sentence)
  return { sentence: isHeading ? `${sentence}: ${withoutMarkdown(passage.textOf(next))}` : sentence, score }
}

/** The indexes of the sentences that have a word which begins so, each once. */
const holdersOf = function * ({ lower, sentences }: Passage, beginning: string): Generator<number> {
  let index = 0
  for (let at = lower.indexOf(beginning); at !== -1;) {
    let sentence = sentences[index]
    while (sentence && sentence.to <= at) sentence = sentences[++index]
    if (!sentence) return
    const isHeld = at >= sentence.from && at + beginning.length <= sentence.to &&
      (at === sentence.from || !saysSomething(lower.charAt(at - 1)))
    if (isHeld) yield index
    at = lower.indexOf(beginning, isHeld ? sentence.to : at + 1)
  }
}

const nearestOf = (sentences: readonly string[], nearness: Nearness): string | undefined =>
  sentences.length === 0 ? undefined : sentences[indexOfMost(nearness(sentences))]

/** The index of the first of the highest. */
const indexOfMost = (scores: ArrayLike<number>): number => {
  let most = 0
  for (let index = 1; index < scores.length; index++) if (scores[index]! > scores[most]!) most = index
  return most
}

/** On one line, and not too long. */
const toSnippet = (sentence: string): string => {
  const line = withoutMarkdown(sentence.replace(/\s+/g, ' ').trim())
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH).replace(/\s\S*$/, '')} …`
}
