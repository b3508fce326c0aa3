/** Converts the dates in documents and trackers to RFC 3339. */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Month abbreviations of other languages whose first three letters differ from English. */
const OTHER_MONTHS: Readonly<Record<string, number>> = {
  mrz: 2,
  mär: 2,
  mai: 4,
  okt: 9,
  dez: 11,
  ene: 0,
  abr: 3,
  ago: 7,
  dic: 11,
  fév: 1,
  fev: 1,
  avr: 3,
  jui: 5,
  aoû: 7,
  aou: 7,
  déc: 11,
  set: 8,
  out: 9,
  gen: 0,
  mag: 4,
  giu: 5,
  lug: 6,
  ott: 9,
  mei: 4
}

/** Undefined for anything else than a date. A date without a time is the start of that day in UTC. */
export const readDate = (value: unknown): string | undefined => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  const text =
    (typeof value === 'number' && value > 1e11) || (typeof value === 'string' && /^\d{12,13}$/.test(value))
      ? new Date(Number(value)).toISOString()
      : typeof value === 'string'
        ? value.trim()
        : ''
  if (text === '') return undefined
  const numbers =
    new RegExp(/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/.source +
      /(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/.source).exec(
      text
    )
  if (numbers) {
    const [, year, month, day, hour = '0', minute = '0', second = '0', zone = 'Z'] = numbers
    return instant(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
      offsetOf(zone)
    )
  }
  const dayFirst =
    /^(\d{1,2})[-/. ]+([\p{L}.]+|\d{1,2})[-/. ,]+(\d{2,4})(?:[ ,T]+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(AM|PM)?)?$/iu.exec(
      text
    )
  if (dayFirst) {
    const [, day, month = '', year = '', hour = '0', minute = '0', second = '0', half] = dayFirst
    const hours = (Number(hour) % (half ? 12 : 24)) + (/pm/i.test(half ?? '') ? 12 : 0)
    return instant(fullYear(year), monthOf(month), Number(day), hours, Number(minute), Number(second), 0)
  }
  // "Mon Feb 06 2023 05:00:00 GMT+0000 (GMT)", "Sun, 20 Apr 2025 10:17:06 UTC+0000", "Nov 22, 2026".
  if (!/\p{L}{3}/u.test(text)) return undefined
  const parsed = Date.parse(
    text
      .replace(/UTC([+-]\d)/, 'GMT$1')
      .replace(/\s*\([^)]*\)\s*$/, '')
      .replace(/(\d)(?:st|nd|rd|th)\b/, '$1')
  )
  // Without a zone `Date.parse` assumes this machine's.
  const zoned = /GMT|UTC|Z$|[+-]\d{4}/.test(text) ? parsed : parsed - new Date(parsed).getTimezoneOffset() * 60_000
  return inRange(zoned) ? new Date(zoned).toISOString() : undefined
}

const monthOf = (text: string): number => {
  if (/^\d+$/.test(text)) return Number(text) - 1
  const key = text.toLowerCase().slice(0, 3)
  return MONTHS.includes(key) ? MONTHS.indexOf(key) : (OTHER_MONTHS[key] ?? -1)
}

const fullYear = (text: string): number => (text.length <= 2 ? 2000 + Number(text) : Number(text))

const offsetOf = (zone: string): number => {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone)
  return match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) : 0
}

const instant = (
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  offset: number
): string | undefined => {
  const time = Date.UTC(year, month, day, hour, minute, second) - offset * 60_000
  if (month < 0 || month > 11 || hour > 23 || minute > 59 || !inRange(time)) return undefined
  // Reject the 31st of a month of 30 days.
  return new Date(Date.UTC(year, month, day)).getUTCDate() === day ? new Date(time).toISOString() : undefined
}

const inRange = (time: number): boolean => time >= Date.parse('1900-01-01') && time < Date.parse('9000-01-01')
