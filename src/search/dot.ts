/** The product of two vectors: of two of length 1, the cosine of the angle between them. */
export function dot (a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
