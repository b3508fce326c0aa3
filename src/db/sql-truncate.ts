/** SQL for a text column, cut to so many characters: to count them takes longer than to read a text that is short enough. */
export const sqlTruncate = (column: string, characters: number): string =>
  `case when octet_length(${column}) <= ${characters} then ${column} else left(${column}, ${characters}) end`
