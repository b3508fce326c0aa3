/** Splits a text into sentences. */

/** A sentence of a text, from the first character to the one before `to`. */
export interface Sentence { from: number, to: number }

// Markdown wraps lines inside a sentence: only a blank line, or one that begins a heading, an item, a quote, a row or
// the address of a link, ends one.
const ENDS = /(?<=[.!?])\s+|\n\s*\n|\n(?=\s*(?:[-*+#>|]|\d+[.)]|\[[^\]\n]+\]:[ \t]))/g
// Lines that name the addresses of links, as in "[guide]: https://example.com".
const LINK_ADDRESSES = /^(?:[ \t]*\[[^\]\n]+\]:[ \t][^\n]*(?:\n|$))+/
// What makes a line a heading, an item, a quote or a row.
const LINE_MARKER = /^(?:(?:[-*+>|]|#{1,6}|\d+[.)])\s+)+/
// A link or a picture inside a sentence: its text, and then its address, which may hold parentheses, and its title.
const INLINE_LINK = /!?\[([^\][\n]{1,300})\]\((?:[^()\s]|\([^()\s]*\))*(?:\s"[^"\n]*")?\)/g
// Code and bold text inside a sentence: the marks of both, and what stands between them.
const CODE_OR_BOLD = /(`{1,2}|\*\*)(?=[^\s`*])([^`*\n]{1,300})\1/g
const SAYS_SOMETHING = /[\p{L}\p{N}]/u

/** The sentences of a text, in their order; none is empty, or the address of a link. */
export const sentencesOf = (text: string): Sentence[] => {
  const sentences: Sentence[] = []
  let from = 0
  const add = (to: number): void => {
    const addresses = LINK_ADDRESSES.exec(text.slice(from, to))?.[0].length ?? 0
    if (to > from + addresses) sentences.push({ from: from + addresses, to })
  }
  for (const end of text.matchAll(ENDS)) {
    add(end.index)
    from = end.index + end[0].length
  }
  add(text.length)
  return sentences
}

/** Without the marks of headings, items, quotes, rows, code and bold text; of links only the texts. */
export const withoutMarkdown = (sentence: string): string =>
  sentence.replace(LINE_MARKER, '').replace(INLINE_LINK, '$1').replace(CODE_OR_BOLD, '$2')

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
