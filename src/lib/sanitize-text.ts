/** Text from outside as a statement can take it: U+0000 and halves of surrogate pairs, which no stored text has, become U+FFFD. */
export const sanitizeText = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '\ufffd')
