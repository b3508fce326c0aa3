/** Caches which texts a function left as they are: the same few names come with every request. */

const MAX_TEXTS = 500
/** Longer texts are rarely the same. */
const MAX_LENGTH = 256

/**
 * Returns the function with a cache of the texts that it did not change. Others are not stored, so that what a
 * redaction takes out of a text does not stay in memory.
 * @param change gives the same text each time for the same text
 */
export const cacheUnchanged = (change: (text: string) => string): ((text: string) => string) => {
  const unchanged = new Set<string>()
  return (text) => {
    if (unchanged.has(text)) return text
    const changed = change(text)
    if (changed === text && text.length <= MAX_LENGTH) {
      if (unchanged.size >= MAX_TEXTS) unchanged.clear()
      unchanged.add(text)
    }
    return changed
  }
}
