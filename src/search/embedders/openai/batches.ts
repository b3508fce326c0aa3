/** Cuts texts into groups that fit one request. */
export function * batches (
  texts: readonly string[], { count, characters }: { count: number, characters: number }
): Generator<string[]> {
  let batch: string[] = []
  let available = characters
  for (const text of texts) {
    if (batch.length > 0 && (batch.length === count || text.length > available)) {
      yield batch
      batch = []
      available = characters
    }
    batch.push(text)
    available -= text.length
  }
  if (batch.length > 0) yield batch
}
