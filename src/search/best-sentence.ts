/** The sentence of a text that is nearest to a question, for a hit whose words say nothing of why it fits. */
import type { Embedder } from './embedder.js'

const MOST_SENTENCES = 40
const SHORTEST = 12
const LONGEST = 300

export const bestSentence = async (
  embedder: Embedder, question: Float32Array, text: string, signal?: AbortSignal
): Promise<string | undefined> => {
  const sentences = sentencesOf(text)
  const vectors = await embedder.embed(sentences.map((sentence) => ({ parts: [{ text: sentence, weight: 1 }] })), { kind: 'document', signal })
  let best: { sentence: string, cosine: number } | undefined
  vectors.forEach((vector, place) => {
    const cosine = vector.reduce((sum, value, at) => sum + value * question[at]!, 0)
    if (!best || cosine > best.cosine) best = { sentence: sentences[place]!, cosine }
  })
  return best?.sentence
}

/** Markdown wraps lines inside a sentence: only a blank line, or one that begins a heading, an item, a quote or a row, ends one. */
const ENDS = /(?<=[.!?])\s+|\n\s*\n|\n(?=\s*(?:[-*+#>|]|\d+[.)]))/

export const sentencesOf = (text: string): string[] => text.split(ENDS, MOST_SENTENCES * 2)
  .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
  .filter((sentence) => sentence.length >= SHORTEST)
  .slice(0, MOST_SENTENCES)
  .map((sentence) => sentence.length <= LONGEST ? sentence : `${sentence.slice(0, LONGEST).replace(/\s\S*$/, '')} …`)
