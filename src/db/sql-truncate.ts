/** SQL that cuts a text column. It tests the bytes first: counting the characters of a short text takes longer. */
export const sqlTruncate = (column: string, characters: number): string =>
  `case when octet_length(${column}) <= ${characters} then ${column} else left(${column}, ${characters}) end`
