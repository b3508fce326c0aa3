/** What turns texts into vectors: the port that every embedder, built in or bought, stands behind. */

/** A text in parts; a part of weight 2 counts as if it stood there twice. A query is one part of weight 1. */
export interface EmbeddingText {
  parts: readonly EmbeddingPart[]
}

export interface EmbeddingPart {
  text: string
  weight: number
}

export interface EmbedOptions {
  kind: 'document' | 'query'
  signal?: AbortSignal | undefined
}

export interface Embedder {
  /** Which embedder, such as `builtin` or `openai:<model>`. */
  readonly id: string
  /** Changes whenever the same text may get another vector; vectors of two versions are never compared. */
  readonly version: string
  readonly dimensions: number
  /** One vector a text, in the texts' order, of length 1; all zeros for a text of which nothing is known. */
  embed (texts: readonly EmbeddingText[], options: EmbedOptions): Promise<Float32Array[]>
}
