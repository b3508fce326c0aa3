/** The port of embedders: they turn texts into vectors. */

/** A text in parts, the most important first. A part of weight 2 counts twice. A query is one part of weight 1. */
export interface EmbeddingText {
  parts: readonly EmbeddingPart[]
}

export interface EmbeddingPart {
  text: string
  weight: number
}

export const asQuery = (text: string): EmbeddingText => ({ parts: [{ text, weight: 1 }] })

/** Cosines of a query and a document: of unrelated ones, and of a document that is just what the query asks for. */
export interface Scale {
  unrelated: number
  related: number
}

export interface EmbedOptions {
  kind: 'document' | 'query'
  signal?: AbortSignal | undefined
}

export interface Embedder {
  /** The embedder and its model, such as `builtin` or `openai:<model>`. */
  readonly id: string
  /** Changes when the same text may get another vector; vectors of two versions are never compared. */
  readonly version: string
  /** Length of a vector; undefined until the first answer of a service without a configured dimension. */
  readonly dimensions: number | undefined
  /** Characters that it reads of a text; undefined when it reads all. Longer documents are embedded in parts too. */
  readonly window?: number | undefined
  /** What its cosines mean, if that is known; otherwise it is measured. */
  readonly scale?: Scale | undefined
  /** A unit vector per text, zeros for one without known words. Throws `EmbedderUnavailable`, the signal's reason. */
  embed (texts: readonly EmbeddingText[], options: EmbedOptions): Promise<Float32Array[]>
  /** Announces that many texts will follow soon. */
  prepare? (): void
}

/** `transient`: a retry may help; `permanent`: the operator has to act; `input`: these texts are not accepted. */
export type UnavailableKind = 'transient' | 'permanent' | 'input'

/** No vectors now. The message has neither secrets nor text of a service. Search goes on by words, indexing waits. */
export class EmbedderUnavailable extends Error {
  /** `retryAfterMs`: the pause that the service asked for. */
  constructor (message: string, readonly kind: UnavailableKind = 'transient', readonly retryAfterMs?: number) {
    super(message)
    this.name = 'EmbedderUnavailable'
  }
}
