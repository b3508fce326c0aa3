/** A vector scaled to length 1; undefined when it has no direction or holds what is no number. */
export function unitLength (numbers: readonly number[]): Float32Array | undefined {
  let square = 0
  for (const value of numbers) square += value * value
  const length = Math.sqrt(square)
  return Number.isFinite(length) && length > 1e-9 ? Float32Array.from(numbers, (value) => value / length) : undefined
}
