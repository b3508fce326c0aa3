/** The two forms in which a vector goes to pgvector. */

/** A vector as pgvector parses it from text. Six decimals exceed the precision that a search needs. */
export const vectorText = (vector: Float32Array): string =>
  `[${Array.from(vector, (value) => Math.round(value * 1e6) / 1e6).join(',')}]`

/**
 * A vector in pgvector's binary format, for a parameter: a 16-bit length, 16 unused bits, then 32-bit floats, all
 * big-endian. The server reads it in a sixth of the time of the text.
 */
export const vectorBytes = (vector: Float32Array): Buffer => {
  const bytes = Buffer.alloc(4 + vector.length * 4)
  bytes.writeUInt16BE(vector.length)
  vector.forEach((value, index) => bytes.writeFloatBE(value, 4 + index * 4))
  return bytes
}
