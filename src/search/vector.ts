/** Arithmetic of vectors. Two vectors of one call have the same length. */

/** The dot product: for two vectors of length 1, the cosine of the angle between them. */
export function dot (a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

export const isZero = (vector: Float32Array): boolean => vector.every((number) => number === 0)

/** A copy scaled to length 1; undefined when the vector is zero or has a number that is not finite. */
export function toUnitVector (numbers: readonly number[]): Float32Array | undefined {
  let square = 0
  for (const value of numbers) square += value * value
  const length = Math.sqrt(square)
  return Number.isFinite(length) && length > 1e-9 ? Float32Array.from(numbers, (value) => value / length) : undefined
}

/** Scales a vector to length 1 in place, and returns it. A vector of zeros stays as it is. */
export function normalize (vector: Float32Array): Float32Array {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 0
  for (let i = 0; i < vector.length; i++) vector[i]! *= scale
  return vector
}

export function addTo (to: Float32Array, vector: Float32Array, weight: number): void {
  for (let i = 0; i < to.length; i++) to[i]! += weight * vector[i]!
}

/** A pseudo-random vector of length 1 for a text: always the same one, and near no other text's. */
export function hashToVector (text: string, dimensions: number): Float32Array {
  let state = 0x811C9DC5
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193)
  const vector = new Float32Array(dimensions)
  for (let i = 0; i < dimensions; i++) {
    state = (state + 0x6D2B79F5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)
    vector[i] = (bits ^ (bits >>> 14)) / 0x80000000
  }
  return normalize(vector)
}
