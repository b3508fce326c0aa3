/** Cuts a text into clauses and these into words as they stand there; no more of it than is worth reading. */
const MAX_TOKENS = 50_000
const MAX_CHARACTERS = 2_000_000
const MAX_TOKEN_LENGTH = 64

// Of a run of marks the last alone is looked at: a pattern that takes the whole run would begin anew at each of its
// marks.
const CLAUSE_END = /[.!?;:,](?=\s|$)|[()[\]{}"|\u3000-\u303F]|\n\s*(?=[\n*#>+-])/u
const TOKEN = /[\p{L}\p{N}]+(?:['’]\p{L}+)*/gu
// Scripts that are written without spaces are read in pairs of signs.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

export function * clauses (text: string): Generator<string[]> {
  let left = MAX_TOKENS
  for (const clause of plain(text.slice(0, MAX_CHARACTERS)).split(CLAUSE_END)) {
    const tokens = []
    for (const [match] of clause.matchAll(TOKEN)) {
      if (left-- <= 0) break
      if (UNSPACED.test(match)) tokens.push(...pairs(match))
      else tokens.push(match.replace(/['’]s$|['’]/g, '').slice(0, MAX_TOKEN_LENGTH))
    }
    if (tokens.length > 0) yield tokens
    if (left <= 0) return
  }
}

// Sorting the marks of one letter takes the square of their number; no language has so many on one.
const LONG_MARKS = /(\p{M}{16})\p{M}+/gu

/** Without accents and other marks, wide and joined letters as plain ones. */
const plain = (text: string): string =>
  /[^\0-\x7F]/.test(text) ? text.replace(LONG_MARKS, '$1').normalize('NFKD').replace(/\p{M}+/gu, '') : text

function pairs (run: string): string[] {
  const signs = [...run.slice(0, MAX_TOKEN_LENGTH)]
  return signs.length < 2 ? signs : signs.slice(1).map((sign, i) => `${signs[i]}${sign}`)
}
