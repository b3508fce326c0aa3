/**
 * Reads the usual texts of questions as PostgreSQL's parser does, so that their lexemes can be put together from those
 * of their words. What that parser reads by rules of many states is left to the database: addresses, tags, paths with
 * dots, negative numbers, and what is not ASCII, which it reads by the locale of the database.
 */

/** Longer texts are left to the database. */
const MAX_LENGTH = 1000
/** Not ASCII, or the first mark of a tag or of an entity, which may hold spaces and marks of `BETWEEN`. */
const LEFT_TO_DATABASE = /[^\t\n\r -~]|[<&](?![\t\n\r ]|$)/
/** Spaces, and marks that end each token before them and are part of none. */
const BETWEEN = /[\t\n\r "'`()*,;!?[\]{}=>#$%^|\\]+/
/** Marks that may be part of a token, but not alone. */
const MARK = /^(?:-+|\/+|[&<+.:@~])$/
/** The parser takes none of them into the token before, unless more than it follows. */
const LAST_MARK = /[.:]$/

/** A word that begins with a letter, such as `plans` and `v2`, or several with hyphens. Hyphens before it are marks. */
const WORD = /^-*([a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*)$/
/** Words with the mark of emphasis or of a programmer's name, which is not part of a token. */
const UNDERLINED = /^[a-z_]+$/
/** Such as KEP-1287: the parser reads a negative number. */
const NUMBERED = /^([a-z]+)(-\d+)$/
/** Pieces that the parser reads as one token. */
const TOKENS = [
  // 3, 1.5, 1.2.3
  /^\d+(?:\.\d+)*$/,
  // 2nd, not 1e5
  /^\d+(?!e)[a-z][a-z0-9]*$/,
  // v1.2
  /^[a-z]+\d+(?:\.\d+)+$/,
  // e.g, read.me, k8s.io: the parser divides a host whose last part is one letter
  /^[a-z]+\.[a-z]$/, /^[a-z][a-z0-9]*(?:\.[a-z]{2,})+$/,
  // and/or, http/2
  /^[a-z][a-z0-9]*(?:\/[a-z0-9]+)+$/
]

/** The words of a piece between spaces and marks; undefined when its tokens are not known. */
const wordsOf = (piece: string): string[] | undefined => {
  if (MARK.test(piece)) return []
  const rest = piece.replace(LAST_MARK, '')
  const word = WORD.exec(rest)?.[1]
  if (word !== undefined) return word.includes('-') ? [word, ...word.split('-')] : [word]
  if (TOKENS.some((token) => token.test(rest))) return [rest]
  if (UNDERLINED.test(rest)) return rest.split('_').filter((part) => part !== '')
  return NUMBERED.exec(rest)?.slice(1)
}

/**
 * Returns the words in small letters in the order of the text, one with hyphens before its parts; undefined for a text
 * that the database has to read. A word of letters and hyphens is to be stemmed, another is a lexeme as it is.
 */
export const plainWords = (text: string): string[] | undefined => {
  if (text.length > MAX_LENGTH || LEFT_TO_DATABASE.test(text)) return undefined
  const words: string[] = []
  for (const piece of text.toLowerCase().split(BETWEEN)) {
    if (piece === '') continue
    const found = wordsOf(piece)
    if (!found) return undefined
    words.push(...found)
  }
  return words
}
