const numbers = new Intl.NumberFormat('en-US')

/** `1204` → `1,204` */
export const formatNumber = (value: number): string => numbers.format(value)

/** `1 key`, `2 keys` */
export const countOf = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
