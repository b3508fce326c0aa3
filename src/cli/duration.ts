/** Parses durations and points in time as people type them: `90d`, `12h`, `30m`, `1y`. */

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 }
const CENTURY = 100 * 31_536_000

/** Returns the duration in seconds; undefined unless it is between one second and a century. */
export function duration (text: string): number | undefined {
  const [, count, unit] = /^(\d{1,10})([smhdwy])$/.exec(text) ?? []
  const seconds = Number(count) * (SECONDS[unit ?? ''] ?? NaN)
  return seconds >= 1 && seconds <= CENTURY ? seconds : undefined
}

/** Returns an RFC 3339 time for a time, a date, or how long ago; undefined for other text. */
export function since (text: string): string | undefined {
  const back = duration(text)
  if (back !== undefined) return new Date(Date.now() - back * 1000).toISOString()
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
