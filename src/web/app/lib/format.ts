/** Numbers, bytes and moments as text, in English, which the rest of the pages is written in. */

const LOCALE = 'en-US'
const numbers = new Intl.NumberFormat(LOCALE)

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

/** `12 ms`, `1.2 s`; a dash where nothing was measured. */
export const formatMs = (value: number | null): string =>
  value === null ? '–' : value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'always' })
/** In a person's time zone; an unknown one is the browser's. */
const format = (date: Date, options: Intl.DateTimeFormatOptions, timeZone: string | undefined): string => {
  try {
    return date.toLocaleString(LOCALE, { ...options, timeZone })
  } catch {
    return date.toLocaleString(LOCALE, options)
  }
}

/** `3 minutes ago`, `in 10 days`; beyond 30 days the date. */
export const relativeTime = (date: Date, now: Date, timeZone?: string): string => {
  const distance = date.getTime() - now.getTime()
  const size = Math.abs(distance)
  if (size < MINUTE) return distance > 0 ? 'in less than a minute' : 'just now'
  if (size < HOUR) return relative.format(Math.trunc(distance / MINUTE), 'minute')
  if (size < DAY) return relative.format(Math.trunc(distance / HOUR), 'hour')
  if (size < 30 * DAY) return relative.format(Math.trunc(distance / DAY), 'day')
  return shortDate(date, timeZone)
}

/** `Sep 2, 2027` */
export const shortDate = (date: Date, timeZone?: string): string =>
  format(date, { year: 'numeric', month: 'short', day: 'numeric' }, timeZone)

/** `Sep 2, 2027, 14:03:22 GMT+2` */
export const exactTime = (date: Date, timeZone?: string): string => format(date, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short'
}, timeZone)
