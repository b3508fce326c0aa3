/** Cuts texts into groups that fit one request. */
export function * batches (
  texts: readonly string[], { count, characters }: { count: number, characters: number }
): Generator<string[]> {
  let batch: string[] = []
  let room = characters
  for (const text of texts) {
    if (batch.length > 0 && (batch.length === count || text.length > room)) {
      yield batch
      batch = []
      room = characters
    }
    batch.push(text)
    room -= text.length
  }
  if (batch.length > 0) yield batch
}
