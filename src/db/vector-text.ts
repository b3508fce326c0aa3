/** A vector as pgvector reads it; six digits are more than its single precision needs here. */
export const vectorText = (vector: Float32Array): string =>
  `[${Array.from(vector, (value) => Math.round(value * 1e6) / 1e6).join(',')}]`
