/**
 * The sentence that shows why a text was found: one that holds the question's words or, where none does, one near
 * it in meaning.
 */

export interface SnippetQuery {
  /** What each word of the question weighs, by its stem. */
  words: Readonly<Record<string, number>>
  /** How near a sentence is to the question; absent where words have to do. */
  nearness?: (sentence: string) => number
}

// What a text is about is said in its beginning.
const MAX_COMPARED = 24
const MIN_LENGTH = 12
const MAX_LENGTH = 300
// Markdown wraps lines inside a sentence: only a blank line, or one that begins a heading, an item, a quote or a
// row, ends one.
const ENDS = /(?<=[.!?])\s+|\n\s*\n|\n(?=\s*(?:[-*+#>|]|\d+[.)]))/
const SAYS_SOMETHING = /[\p{L}\p{N}]/u

/** Undefined when there is no sentence in it. */
export const bestSentence = (text: string, { words, nearness }: SnippetQuery): string | undefined => {
  const sentences = text.split(ENDS).filter((sentence) => SAYS_SOMETHING.test(sentence))
  const all = text.toLowerCase()
  // Mostly few of them stand anywhere in it.
  const there = Object.entries(words)
    .map(([stem, weight]) => [beginningOf(stem), weight] as const)
    .filter(([beginning]) => all.includes(beginning))
  const scores = there.length === 0
    ? []
    : sentences.map((sentence) => {
      const lower = sentence.toLowerCase()
      return there.reduce((sum, [beginning, weight]) => sum + (holds(lower, beginning) ? weight : 0), 0)
    })
  const highest = Math.max(0, ...scores)
  const threshold = Object.values(words).reduce((sum, weight) => sum + weight, 0) / 2
  if (highest > 0 && (highest >= threshold || !nearness)) return toSnippet(sentences[scores.indexOf(highest)]!)
  if (!nearness) return sentences[0] && toSnippet(sentences[0])
  const compared = sentences.filter((sentence) => sentence.length >= MIN_LENGTH).slice(0, MAX_COMPARED)
  let best: { sentence: string, near: number } | undefined
  for (const sentence of compared) {
    const near = nearness(sentence)
    if (!best || near > best.near) best = { sentence, near }
  }
  return toSnippet(best?.sentence ?? sentences[0] ?? '') || undefined
}

/** How words of that stem begin: it writes a final y as i. */
export const beginningOf = (stem: string): string => stem.length > 3 && stem.endsWith('i') ? stem.slice(0, -1) : stem

/** Whether a word of the text begins so. */
const holds = (lower: string, beginning: string): boolean => {
  for (let at = lower.indexOf(beginning); at !== -1; at = lower.indexOf(beginning, at + 1)) {
    if (at === 0 || !SAYS_SOMETHING.test(lower[at - 1]!)) return true
  }
  return false
}

/** On one line, and not too long. */
const toSnippet = (sentence: string): string => {
  const line = sentence.replace(/\s+/g, ' ').trim()
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH).replace(/\s\S*$/, '')} …`
}
