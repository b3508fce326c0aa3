/**
 * Reads a tsvector's text, and computes what each of its words adds to `ts_rank`, in the same steps of single precision
 * as PostgreSQL, so that ranks are equal to the last bit.
 */

const { fround } = Math

// As `ts_rank` weighs positions by their letters; D is not written.
const WEIGHTS: Readonly<Record<string, number>> = { A: 1, B: fround(0.4), C: fround(0.2) }
const WEIGHT_D = fround(0.1)
/** Pi squared, divided by six: the limit of the sum of all shares. */
const ALL_SHARES = 1.64493406685

const WORD = /'((?:[^'\\]|''|\\\\)*)'(?::([^ ]*))?/gy
const DOUBLED = /''|\\\\/g

/** Calls `onWord` for each word of a tsvector, with its share of a rank and its positions in the text, ascending. */
export const readTsvector = (
  text: string, onWord: (lexeme: string, share: number, positions: readonly number[]) => void
): void => {
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match; match = WORD.exec(text)) {
    const [, written = '', positions = ''] = match
    onWord(readLexeme(written), shareOf(positions), positions === '' ? [] : positions.split(',').map(withoutWeight))
    // The space between two words.
    WORD.lastIndex++
  }
}

/** Reads a word as tsvectors and tsqueries write it, without the marks around it. */
export const readLexeme = (written: string): string => written.replace(DOUBLED, (pair) => pair.charAt(0))

const withoutWeight = (position: string): number => Number.parseInt(position, 10)

/** `calc_rank_or` for one word; without positions it counts as one of weight D. */
const shareOf = (positions: string): number => {
  let sum = 0
  let largest = -1
  let largestAt = 0
  positions.split(',').forEach((position, at) => {
    const weight = WEIGHTS[position.charAt(position.length - 1)] ?? WEIGHT_D
    sum = fround(sum + fround(weight / ((at + 1) * (at + 1))))
    if (weight > largest) {
      largest = weight
      largestAt = at
    }
  })
  return fround(fround(largest + sum) - fround(largest / ((largestAt + 1) * (largestAt + 1))))
}

/** `ts_rank` of a question whose words may each stand in the text, by the shares of those that do; scaled as by 32. */
export const rankOf = (shares: readonly number[], words: number): number => {
  let sum = 0
  for (const share of shares) sum = fround(sum + share / ALL_SHARES)
  const rank = fround(sum / words)
  return fround(rank / fround(rank + 1))
}
