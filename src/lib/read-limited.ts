/** The text of a reply that nobody vouches for, as long as it is no longer than it should be. */

/** Undefined when there are more than `most` bytes of it; the rest is not read. */
export const readTextLimited = async (body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | undefined> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
