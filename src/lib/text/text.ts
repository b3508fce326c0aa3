/** Small functions on text. */

/** Returns the number with its noun: `1 item`, `2 items`. */
export const pluralize = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Replaces U+0000 and unpaired surrogates by U+FFFD. */
export const sanitizeText = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '\ufffd')
