const numbers = new Intl.NumberFormat('en-US')

/** `1204` → `1,204` */
export const formatNumber = (value: number): string => numbers.format(value)

/** `1 key`, `2 keys`; `plural` is for nouns that do not end in `s`. */
export const countOf = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatNumber(count)} ${count === 1 ? noun : plural}`

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `12582912` → `12.6 MB` (powers of 1000). */
export const formatBytes = (bytes: number): string => {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`
}
