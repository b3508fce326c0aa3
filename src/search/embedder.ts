/** What turns texts into vectors: the port that every embedder, built in or bought, stands behind. */

/**
 * A text in parts, what tells most of it first; a part of weight 2 counts as if it stood there twice. A query is
 * one part of weight 1.
 */
export interface EmbeddingText {
  parts: readonly EmbeddingPart[]
}

export interface EmbeddingPart {
  text: string
  weight: number
}

/**
 * Cosines of a question and a document: when they have nothing to do with each other, and when it is just what is
 * asked for.
 */
export interface Scale {
  unrelated: number
  related: number
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
  /**
   * How many numbers a vector has; undefined until the first answer of a service that was not told how many to
   * give.
   */
  readonly dimensions: number | undefined
  /**
   * Most characters that it reads of one text; undefined when it reads all. Longer documents are embedded in parts
   * as well.
   */
  readonly window?: number | undefined
  /** What its cosines mean, where that is known; else it is measured on what it has embedded. */
  readonly scale?: Scale | undefined
  /**
   * One vector a text, in the texts' order, of length 1; all zeros for a text of which nothing is known. Throws
   * `EmbedderUnavailable` when there are none to be had at this time, and the signal's reason when it is aborted.
   */
  embed (texts: readonly EmbeddingText[], options: EmbedOptions): Promise<Float32Array[]>
  /** Says that much text will come soon. */
  prepare? (): void
}

/**
 * `passing`: asking again may help; `lasting`: the operator has to mend it; `texts`: these are not taken, though
 * others may be.
 */
export type UnavailableKind = 'transient' | 'permanent' | 'input'

/**
 * No vectors now, for a reason that holds neither secrets nor text of the service: search does without meaning,
 * re-embedding waits.
 */
export class EmbedderUnavailable extends Error {
  /** `retryAfterMs`: how long the service asked to be left alone. */
  constructor (message: string, readonly kind: UnavailableKind = 'transient', readonly retryAfterMs?: number) {
    super(message)
    this.name = 'EmbedderUnavailable'
  }
}
