/** Moments as text, in the person's time zone and in English, which the rest of the pages is written in. */

const LOCALE = 'en-US'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'always' })
const formats = new Map<string, Intl.DateTimeFormat>()

/** An unknown time zone is the browser's. */
const dateFormat = (options: Intl.DateTimeFormatOptions, timeZone: string | undefined): Intl.DateTimeFormat => {
  const key = JSON.stringify([options, timeZone])
  let format = formats.get(key)
  if (!format) {
    try {
      format = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone })
    } catch {
      format = new Intl.DateTimeFormat(LOCALE, options)
    }
    formats.set(key, format)
  }
  return format
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
  dateFormat({ year: 'numeric', month: 'short', day: 'numeric' }, timeZone).format(date)

/** `Sep 2, 2027, 14:03:22 GMT+2` */
export const exactTime = (date: Date, timeZone?: string): string => dateFormat({
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short'
}, timeZone).format(date)
