/** Converts the dates in documents and trackers to RFC 3339. */

/** The names of months begin with one of these, without accents, in English and the languages of trackers. */
const MONTHS = [
  /^(?:jan|ene|gen)/, /^fe[bv]/, /^(?:mar|mrz)/, /^(?:apr|abr|avr)/, /^(?:ma[iyg]|mei)/, /^(?:jun|juin|giu)/,
  /^(?:jul|juil|lug)/, /^(?:aug|ago|aou)/, /^se[pt]/, /^(?:o[ck]t|out|ott)/, /^nov/, /^d[ei][cz]/
]
const NUMBERS = new RegExp(
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/.source +
  /(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(?:Z|UTC|([+-]\d{2}):?(\d{2}))?)?$/.source
)
const DAY_FIRST =
  /^(\d{1,2})[-/. ]+([\p{L}.]+|\d{1,2})[-/. ,]+(\d{2,4})(?:[ ,T]+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(AM|PM)?)?$/iu

/** Undefined for anything else than a date. A date without a time is the start of that day in UTC. */
export const readDate = (value: unknown): string | undefined => {
  if (value instanceof Date) return iso(value.getTime())
  if ((typeof value === 'number' && value > 1e11) || (typeof value === 'string' && /^\d{12,13}$/.test(value))) {
    return iso(Number(value))
  }
  const text = typeof value === 'string' ? value.trim() : ''
  const numbers = NUMBERS.exec(text)
  if (numbers) {
    const [, year, month, day, hour, minute, second, zone = '0', zoneMinute = '0'] = numbers
    const offset = (Math.abs(Number(zone)) * 60 + Number(zoneMinute)) * (zone.startsWith('-') ? -1 : 1)
    return instant([year, Number(month) - 1, day, hour, minute, second], offset)
  }
  const dayFirst = DAY_FIRST.exec(text)
  if (dayFirst) {
    const [, day, month = '', year = '', hour = '0', minute, second, half] = dayFirst
    const hours = (Number(hour) % (half ? 12 : 24)) + (/pm/i.test(half ?? '') ? 12 : 0)
    return instant([year.length <= 2 ? 2000 + Number(year) : year, monthOf(month), day, hours, minute, second])
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
  return iso(/GMT|UTC|Z$|[+-]\d{4}/.test(text) ? parsed : parsed - new Date(parsed).getTimezoneOffset() * 60_000)
}

const monthOf = (text: string): number => {
  if (/^\d+$/.test(text)) return Number(text) - 1
  const name = text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
  return MONTHS.findIndex((month) => month.test(name))
}

/** `parts`: year, month from 0, day, hour, minute, second. `offset`: of the zone, in minutes. */
const instant = (parts: ReadonlyArray<string | number | undefined>, offset = 0): string | undefined => {
  const [year = NaN, month = NaN, day = NaN, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0))
  if (month < 0 || month > 11 || hour > 23 || minute > 59) return undefined
  // Reject the 31st of a month of 30 days.
  if (new Date(Date.UTC(year, month, day)).getUTCDate() !== day) return undefined
  return iso(Date.UTC(year, month, day, hour, minute, second) - offset * 60_000)
}

const iso = (time: number): string | undefined =>
  time >= Date.parse('1900-01-01') && time < Date.parse('9000-01-01') ? new Date(time).toISOString() : undefined
