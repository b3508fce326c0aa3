// Characters of each text that the search reads.
const MAX_CHARACTERS = 200_000

/** SQL that cuts a text column. It tests the bytes first: counting the characters of a short text takes longer. */
export const sqlTruncate = (column: string): string =>
  `case when octet_length(${column}) <= ${MAX_CHARACTERS} then ${column} else left(${column}, ${MAX_CHARACTERS}) end`
