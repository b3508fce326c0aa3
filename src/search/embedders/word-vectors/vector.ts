/** Arithmetic of word vectors. */

/** Adds `vector` to `to`, times a weight. Both have the same length. */
export function addTo (to: Float32Array, vector: Float32Array, weight: number): void {
  for (let i = 0; i < to.length; i++) to[i]! += weight * vector[i]!
}

/** Scales a vector to length 1, in place. A vector of zeros stays. */
export function unit (vector: Float32Array): Float32Array {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 0
  for (let i = 0; i < vector.length; i++) vector[i]! *= scale
  return vector
}

/** A pseudo-random direction for a text: always the same one, and near no other. */
export function hashed (text: string, dimensions: number): Float32Array {
  let state = 0x811C9DC5
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193)
  const vector = new Float32Array(dimensions)
  for (let i = 0; i < dimensions; i++) {
    state = (state + 0x6D2B79F5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)
    vector[i] = (bits ^ (bits >>> 14)) / 0x80000000
  }
  return unit(vector)
}
