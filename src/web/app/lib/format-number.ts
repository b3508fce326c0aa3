const numbers = new Intl.NumberFormat('en-US')

/** `1204` → `1,204` */
export const formatNumber = (value: number): string => numbers.format(value)

/** `1 key`, `2 keys`; the plural has an s unless it is given. */
export const countOf = (count: number, noun: string, plural = `${noun}s`): string => `${formatNumber(count)} ` +
  `${count === 1 ? noun : plural}`
