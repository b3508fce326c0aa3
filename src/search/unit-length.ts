/** Scales a vector to length 1; undefined when it is zero or has a number that is not finite. */
export function unitLength (numbers: readonly number[]): Float32Array | undefined {
  let square = 0
  for (const value of numbers) square += value * value
  const length = Math.sqrt(square)
  return Number.isFinite(length) && length > 1e-9 ? Float32Array.from(numbers, (value) => value / length) : undefined
}
