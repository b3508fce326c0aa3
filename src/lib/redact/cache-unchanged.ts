/** Caches which texts a function left as they are: the same few names come with every request. */

const MAX_TEXTS = 500
/** Longer texts are rarely the same. */
const MAX_LENGTH = 256

/** Texts that it changes are not stored, so that what a redaction takes out does not stay in memory. */
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
