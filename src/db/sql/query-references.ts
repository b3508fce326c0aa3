/** Finds what a query names literally: the number in a URL, quoted phrases. */

/** "KEP-1287", "kep 1287", "#1287", "1287" → "1287" */
export const reference = (query: string): string | null =>
  /^\s*(?:\p{L}{1,10}[\s-]?)?#?(\d{1,9})\s*$/u.exec(query)?.[1]?.replace(/^0+(?=\d)/, '') ?? null

/** The first five phrases in quotation marks. */
export const quotedPhrases = (query: string): string[] =>
  [...query.matchAll(/["“„]([^"“”„]+)["“”]/g)].slice(0, 5).map(([, phrase = '']) => phrase)
