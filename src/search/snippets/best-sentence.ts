/** The sentence that shows why a text was found: one with enough of the words, else one near in meaning. */
import { saysSomething, sentencesOf, toLowerCaseInPlace, withoutMarkdown, type Sentence } from './sentences.js'

export type Nearness = (sentences: readonly string[]) => ArrayLike<number>

export interface SnippetQuery {
  words: readonly QueryWord[]
  /** Absent where words have to do. It takes longer than all else. */
  nearness?: Nearness | undefined
}

/** How words of a stem begin, in small letters, and what they weigh. */
export interface QueryWord { beginning: string, weight: number }

// What a text is about is said in its beginning. What stands behind is read around words of the query alone.
const BEGINNING = 6000
const BEFORE = 200
const BEHIND = 300
/** Maximum number of sentences of a text that are compared with a query, and the least length of each. */
const MAX_COMPARED_SENTENCES = 8
const MIN_COMPARED_LENGTH = 12
const MAX_LENGTH = 300
/** A sentence with less of the words, by their weights, shows less than one that is near in meaning. */
const MIN_SHARE = 1 / 3

/** What to look for, by stem. The stem of a word writes a final y as i. */
export const queryWords = (words: Readonly<Record<string, number>>): QueryWord[] =>
  Object.entries(words).map(([stem, weight]) =>
    ({ beginning: stem.length > 3 && stem.endsWith('i') ? stem.slice(0, -1) : stem, weight }))

/** Undefined when there is no sentence in it. */
export const bestSentence = (text: string, { words, nearness }: SnippetQuery): string | undefined => {
  const passage = passageOf(text, words)
  const sentences = sentencesOf(passage)
  const textOf = ({ from, to }: Sentence): string => passage.slice(from, to)
  const lower = toLowerCaseInPlace(passage)
  const scores = new Float64Array(sentences.length)
  for (const { beginning, weight } of words) {
    for (const holder of holdersOf(lower, sentences, beginning)) scores[holder]! += weight
  }
  const index = indexOfMost(scores)
  const [holder, next] = sentences.slice(index, index + 2)
  const least = nearness ? words.reduce((sum, { weight }) => sum + weight, 0) * MIN_SHARE : 0
  const score = scores[index] ?? 0
  if (holder && score > 0 && score >= least) {
    const isHeading = next !== undefined && /^#{1,6} .{1,24}$/.test(textOf(holder))
    return toSnippet(isHeading ? `${textOf(holder)}: ${withoutMarkdown(textOf(next))}` : textOf(holder))
  }
  const spoken = sentences.map(textOf).filter(saysSomething)
  const comparable = spoken.filter(({ length }) => length >= MIN_COMPARED_LENGTH).slice(0, MAX_COMPARED_SENTENCES)
  const nearest = nearness && comparable.length > 0 ? comparable[indexOfMost(nearness(comparable))] : undefined
  return toSnippet(nearest ?? spoken[0] ?? '') || undefined
}

/** The beginning of a text, and what stands behind it around the first of the words that begin with each of these. */
const passageOf = (text: string, words: readonly QueryWord[]): string => {
  const rest = text.slice(BEGINNING).toLowerCase()
  const windows = words.flatMap(({ beginning }) => {
    const at = rest.indexOf(beginning)
    return at === -1 ? [] : [text.slice(Math.max(0, BEGINNING + at - BEFORE), BEGINNING + at + BEHIND)]
  })
  return [text.slice(0, BEGINNING), ...windows].join('\n\n')
}

/** The indexes of the sentences that have a word which begins so, each once. */
const holdersOf = function * (lower: string, sentences: readonly Sentence[], beginning: string): Generator<number> {
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

const indexOfMost = (scores: ArrayLike<number>): number => {
  let most = 0
  for (let index = 1; index < scores.length; index++) if (scores[index]! > scores[most]!) most = index
  return most
}

const toSnippet = (sentence: string): string => {
  const line = withoutMarkdown(sentence.replace(/\s+/g, ' ').trim())
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH).replace(/\s\S*$/, '')} …`
}
