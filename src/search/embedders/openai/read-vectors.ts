/** Parses an answer without trusting it: one vector per text, in order, all of one length, none without a direction. */
import { toUnitVector } from '../../vector.js'
import { parseJsonOrUndefined } from '../../../lib/json/json-depth.js'

/** `fault`: the end of a sentence about the service. */
export type Vectors = { ok: true, vectors: Float32Array[] } | { ok: false, fault: string }

// The limit of a pgvector column.
const MAX_DIMENSIONS = 16_000

/** The `count` vectors in the answer, of length `dimensions` when that is known; never throws. */
export function readVectors (text: string, count: number, dimensions: number | undefined): Vectors {
  const data = field(parseJsonOrUndefined(text), 'data')
  if (!Array.isArray(data)) return fault('answered with something else than embeddings: check EMBEDDINGS_URL')
  if (data.length !== count) return fault(`answered with ${data.length} vectors to ${count} texts`)
  const vectors = new Array<Float32Array>(count)
  let size = dimensions
  for (const [place, entry] of data.entries()) {
    // Not every service numbers its vectors.
    const index = field(entry, 'index') ?? place
    const numbers = field(entry, 'embedding')
    if (typeof index !== 'number' || !(index in data) || vectors[index]) {
      return fault('answered with vectors that cannot be told apart')
    }
    if (!isNumbers(numbers)) return fault('answered with a vector that is not made of numbers')
    size ??= Math.min(numbers.length, MAX_DIMENSIONS)
    if (numbers.length !== size) {
      return fault(`answered with a vector of ${numbers.length} numbers instead of ${size}: ` +
        'check EMBEDDINGS_MODEL and EMBEDDINGS_DIMENSIONS')
    }
    const vector = toUnitVector(numbers)
    if (!vector) return fault('answered with a vector that has no direction')
    vectors[index] = vector
  }
  return { ok: true, vectors }
}

const fault = (words: string): Vectors => ({ ok: false, fault: words })

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')
