/** Returns the number with its noun: `1 item`, `2 items`. */
export const pluralize = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
