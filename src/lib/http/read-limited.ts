/** Reads the text of an untrusted reply up to a limit. */

/**
 * Reads a body as UTF-8 text.
 * @returns undefined when the body has more than `maxBytes` bytes; the rest is then left unread
 * @throws the body's own error, when reading it fails
 */
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
