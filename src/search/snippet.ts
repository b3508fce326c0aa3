/**
 * The sentence that shows why a text was found: one that holds the question's words or, where none does, one near
 * it in meaning.
 */

export interface SnippetQuery {
  /** What each word of the question weighs, by its stem. */
  words: Readonly<Record<string, number>>
  /** How near a sentence is to the question; absent where words have to do. */
  similarity?: (sentence: string) => number
}

/** A sentence of a text, from the first character to the one before `to`. */
interface Sentence { from: number, to: number }

// What a text is about is said in its beginning.
const MAX_COMPARED = 24
const MIN_LENGTH = 12
const MAX_LENGTH = 300
// Markdown wraps lines inside a sentence: only a blank line, or one that begins a heading, an item, a quote or a
// row, ends one.
const ENDS = /(?<=[.!?])\s+|\n\s*\n|\n(?=\s*(?:[-*+#>|]|\d+[.)]))/g
const SAYS_SOMETHING = /[\p{L}\p{N}]/u

/** Undefined when there is no sentence in it. */
export const bestSentence = (text: string, { words, similarity }: SnippetQuery): string | undefined => {
  const lower = toLowerCase(text)
  // Mostly few of them stand anywhere in it.
  const there = Object.entries(words)
    .map(([stem, weight]) => [beginningOf(stem), weight] as const)
    .filter(([beginning]) => lower.includes(beginning))
  if (there.length > 0) {
    const sentences = [...sentencesOf(text)]
    const scores = new Float64Array(sentences.length)
    for (const [beginning, weight] of there) addToHolders(scores, sentences, lower, beginning, weight)
    const highest = scores.reduce((max, score) => Math.max(max, score), 0)
    const threshold = Object.values(words).reduce((sum, weight) => sum + weight, 0) / 2
    const best = sentences[scores.indexOf(highest)]
    if (best && highest > 0 && (highest >= threshold || !similarity)) return toSnippet(text.slice(best.from, best.to))
  }
  let first: string | undefined
  let nearest: { sentence: string, near: number } | undefined
  let compared = 0
  for (const { from, to } of sentencesOf(text)) {
    const sentence = text.slice(from, to)
    if (!SAYS_SOMETHING.test(sentence)) continue
    first ??= sentence
    if (!similarity || compared >= MAX_COMPARED) break
    if (sentence.length < MIN_LENGTH) continue
    compared++
    const near = similarity(sentence)
    if (!nearest || near > nearest.near) nearest = { sentence, near }
  }
  return toSnippet(nearest?.sentence ?? first ?? '') || undefined
}

/** How words of that stem begin: it writes a final y as i. */
export const beginningOf = (stem: string): string => stem.length > 3 && stem.endsWith('i') ? stem.slice(0, -1) : stem

/** In small letters, each at its place: a letter that would become two stays. */
const toLowerCase = (text: string): string => {
  const lower = text.toLowerCase()
  return lower.length === text.length
    ? lower
    : Array.from({ length: text.length }, (_, at) => {
      const letter = text.charAt(at).toLowerCase()
      return letter.length === 1 ? letter : text.charAt(at)
    }).join('')
}

function * sentencesOf (text: string): Generator<Sentence, void, undefined> {
  let from = 0
  for (const end of text.matchAll(ENDS)) {
    if (end.index > from) yield { from, to: end.index }
    from = end.index + end[0].length
  }
  if (from < text.length) yield { from, to: text.length }
}

/** Adds the weight to each sentence with a word that begins so. */
const addToHolders = (
  scores: Float64Array, sentences: readonly Sentence[], lower: string, beginning: string, weight: number
): void => {
  let index = 0
  let at = lower.indexOf(beginning)
  while (at !== -1) {
    let sentence = sentences[index]
    while (sentence && sentence.to <= at) sentence = sentences[++index]
    if (!sentence) return
    const isHeld = at >= sentence.from && at + beginning.length <= sentence.to &&
      (at === sentence.from || !SAYS_SOMETHING.test(lower.charAt(at - 1)))
    if (isHeld) scores[index] = (scores[index] ?? 0) + weight
    // Once for each sentence.
    at = lower.indexOf(beginning, isHeld ? sentence.to : at + 1)
  }
}

/** On one line, and not too long. */
const toSnippet = (sentence: string): string => {
  const line = sentence.replace(/\s+/g, ' ').trim()
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH).replace(/\s\S*$/, '')} …`
}
