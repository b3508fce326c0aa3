/** Replaces characters that PostgreSQL cannot store. */

/** Replaces U+0000 and unpaired surrogates by U+FFFD. */
export const sanitizeText = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '\ufffd')
