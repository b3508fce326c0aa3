/** The parts of a text as one, for models that read sentences: to those, saying a thing twice says nothing more. */
import type { EmbeddingText } from './embedder.js'

export interface JoinOptions {
  /** What a model was trained to see before a text of this kind, such as `query: `. */
  prefix: string
  /** Characters that are left of a text at most, without the prefix. */
  window: number
}

/** Empty for a text without words: no prefix stands alone. */
export function joinParts ({ parts }: EmbeddingText, { prefix, window }: JoinOptions): string {
  const texts = parts.map(({ text }) => text.trim()).filter((text) => text !== '')
  const whole = [...new Set(texts)].join('\n\n')
  return whole === '' ? '' : prefix + clip(whole, window)
}

/** Half of a code point, cut here or stored so, is no text to a tokenizer. */
export const clip = (text: string, length: number): string => text.slice(0, length).replace(/\p{Surrogate}/gu, '\uFFFD')
