/** The product of two vectors: of two of length 1, the cosine of the angle between them. */
export function dot (a: Float32Array, b: Float32Array): number {
  // Four sums, as each addition waits for the one before.
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  let i = 0
  for (; i + 3 < a.length; i += 4) {
    first += a[i]! * b[i]!
    second += a[i + 1]! * b[i + 1]!
    third += a[i + 2]! * b[i + 2]!
    fourth += a[i + 3]! * b[i + 3]!
  }
  for (; i < a.length; i++) first += a[i]! * b[i]!
  return first + second + third + fourth
}
