/** The texts of an exploration to embed: the whole and, for an embedder with a window, its parts. */
import type { StaleExploration } from './ranking/vector-store.js'
import type { EmbeddingPart, EmbeddingText } from './embedder.js'

// Weights of the parts, tuned on the graded set of test/search.
const TITLE = 3
const FIRST_SUMMARY = 1
const SUMMARY = 0.7
const TAG = 2
const QUESTION = 0.3
const PACKAGE = 0.5
// A longer part counts as if it had this many characters, so that it does not dominate the others.
const DROWNS = 200
// The beginning of a package says what it is about.
const PACKAGE_READ = 3000
const MAX_PARTS = 16

/** The number of characters of a package that count, for an embedder with this window. */
export const packageCharacters = (window?: number): number =>
  window === undefined ? PACKAGE_READ : PACKAGE_READ + MAX_PARTS * window

/** The whole text first. With a `window` (characters that the embedder reads), longer texts follow in parts. */
export const documentTexts = (exploration: StaleExploration, window?: number): EmbeddingText[] => {
  const [first, ...others] = exploration.summaries.map(({ text }) => text)
  const rest: EmbeddingPart[] = [
    ...others.map((text) => part(text, SUMMARY)),
    ...exploration.tags.map((text) => ({ text, weight: TAG })),
    ...exploration.questions.map(({ question, answer }) => part(`${question}\n${answer ?? ''}`, QUESTION)),
    ...exploration.packages.map(({ title, markdown }) =>
      part(`${title ?? ''}\n${markdown.slice(0, PACKAGE_READ)}`, PACKAGE))
  ]
  const whole = { parts: [{ text: exploration.title, weight: TITLE }, part(first ?? '', FIRST_SUMMARY), ...rest] }
  if (window === undefined) return [whole]
  const tails = exploration.packages.map(({ markdown }) => markdown.slice(PACKAGE_READ))
  const body = [first ?? '', ...rest.map(({ text }) => text), ...tails].join('\n\n')
  if (exploration.title.length + body.length <= window) return [whole]
  const slices = slicesOf(body, Math.max(window - exploration.title.length, window / 2)).slice(0, MAX_PARTS)
  return [whole, ...slices.map((text) => ({ parts: [{ text: exploration.title, weight: 1 }, { text, weight: 1 }] }))]
}

const part = (text: string, weight: number): EmbeddingPart => ({
  text, weight: weight * Math.min(1, DROWNS / Math.max(text.length, 1))
})

/** Cuts at the last end of a line or a sentence that fits. */
const slicesOf = (text: string, maxChars: number): string[] => {
  const slices: string[] = []
  for (let at = 0; at < text.length;) {
    const slice = text.slice(at, at + maxChars)
    const sentenceEnd = Math.max(slice.lastIndexOf('\n'), slice.lastIndexOf('. ')) + 1
    const end = at + maxChars < text.length ? sentenceEnd : slice.length
    const length = end > maxChars / 2 ? end : slice.length
    slices.push(slice.slice(0, length))
    at += length
  }
  return slices
}
