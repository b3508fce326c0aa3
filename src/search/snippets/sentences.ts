/** Splits a text into sentences. */

/** A sentence of a text, from the first character to the one before `to`. */
export interface Sentence { from: number, to: number }

// Markdown wraps lines inside a sentence: only a blank line, or one that begins a heading, an item, a quote or a
// row, ends one.
const ENDS = /(?<=[.!?])\s+|\n\s*\n|\n(?=\s*(?:[-*+#>|]|\d+[.)]))/g
const SAYS_SOMETHING = /[\p{L}\p{N}]/u

/** The sentences of a text, in their order; none is empty. */
export const sentencesOf = (text: string): Sentence[] => {
  const sentences: Sentence[] = []
  let from = 0
  for (const end of text.matchAll(ENDS)) {
    if (end.index > from) sentences.push({ from, to: end.index })
    from = end.index + end[0].length
  }
  if (from < text.length) sentences.push({ from, to: text.length })
  return sentences
}

/** Whether a text has a letter or a digit. */
export const saysSomething = (text: string): boolean => SAYS_SOMETHING.test(text)

/** In small letters, each at its place: a letter that would become two stays. */
export const toLowerCaseInPlace = (text: string): string => {
  const lower = text.toLowerCase()
  return lower.length === text.length
    ? lower
    : Array.from({ length: text.length }, (_, at) => {
      const letter = text.charAt(at).toLowerCase()
      return letter.length === 1 ? letter : text.charAt(at)
    }).join('')
}
