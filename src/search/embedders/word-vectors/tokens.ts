/** Splits a text into clauses, and these into words, up to a bound. */
const MAX_TOKENS = 50_000
const MAX_CHARACTERS = 2_000_000
const MAX_TOKEN_LENGTH = 64

// Only the last of several marks counts: a pattern for the whole run would backtrack at each of its marks.
const CLAUSE_END = /[.!?;:,](?=\s|$)|[()[\]{}"|\u3000-\u303F]|\n\s*(?=[\n*#>+-])/u
const TOKEN = /[\p{L}\p{N}]+(?:['’]\p{L}+)*/gu
// Scripts without spaces between words are read in pairs of characters.
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const UNSPACED = new RegExp(`[${SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u')

/** Yields the words of each clause, as written; of the first 50,000 words. */
export function * clauses (text: string): Generator<string[]> {
  let remaining = MAX_TOKENS
  for (const clause of plain(text.slice(0, MAX_CHARACTERS)).split(CLAUSE_END)) {
    const tokens = []
    for (const [match] of clause.matchAll(TOKEN)) {
      if (remaining-- <= 0) break
      if (UNSPACED.test(match)) tokens.push(...pairs(match))
      else tokens.push(match.replace(/['’]s$|['’]/g, '').slice(0, MAX_TOKEN_LENGTH))
    }
    if (tokens.length > 0) yield tokens
    if (remaining <= 0) return
  }
}

// Sorting the combining marks of one letter takes quadratic time; no language has this many.
const LONG_MARKS = /(\p{M}{16})\p{M}+/gu

/** The text without accents, and with wide and joined letters as plain ones. */
const plain = (text: string): string =>
  /[^\0-\x7F]/.test(text) ? text.replace(LONG_MARKS, '$1').normalize('NFKD').replace(/\p{M}+/gu, '') : text

function pairs (run: string): string[] {
  const characters = [...run.slice(0, MAX_TOKEN_LENGTH)]
  return characters.length < 2 ? characters : characters.slice(1).map((character, i) => `${characters[i]}${character}`)
}
