/** Reads the text of an untrusted reply up to a limit. */

/** Undefined when there are more than `maxBytes` bytes of it; the rest is not read. */
export const readTextLimited = async (
  body: AsyncIterable<Uint8Array>, maxBytes: number
): Promise<string | undefined> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
