/** Joins the parts of a text for models that read sentences. Weights are ignored: repetition means nothing to them. */
import type { EmbeddingText } from './embedder.js'

export interface JoinOptions {
  /** The prefix that a model expects before a text of this kind, such as `query: `. */
  prefix: string
  /** Maximum characters of a text, without the prefix. */
  window: number
}

/** The joined text; empty for a text without words. */
export function joinParts ({ parts }: EmbeddingText, { prefix, window }: JoinOptions): string {
  const texts = parts.map(({ text }) => text.trim()).filter((text) => text !== '')
  const whole = [...new Set(texts)].join('\n\n')
  return whole === '' ? '' : prefix + clip(whole, window)
}

/** Cuts a text. Half of a surrogate pair is replaced, because tokenizers reject it. */
export const clip = (text: string, length: number): string => text.slice(0, length).replace(/\p{Surrogate}/gu, '\uFFFD')
