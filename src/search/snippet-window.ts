/**
 * What is worth reading of a long text to see why it was found: its beginning, and what stands around each word
 * that comes later.
 */

const BEGINNING = 6000
const BEFORE = 200
const BEHIND = 300

/** `words`: how they begin, in small letters. */
export const snippetWindow = (text: string, words: readonly string[]): string => {
  if (text.length <= BEGINNING) return text
  const rest = text.slice(BEGINNING).toLowerCase()
  const parts = words.map((word) => rest.indexOf(word)).filter((offset) => offset !== -1)
    .map((offset) => text.slice(BEGINNING + offset - BEFORE, BEGINNING + offset + BEHIND))
  return [text.slice(0, BEGINNING), ...parts].join('\n\n')
}
