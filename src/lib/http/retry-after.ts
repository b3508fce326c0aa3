/** Parses the `Retry-After` header of a reply. */

// A service may ask for more by mistake.
const MAX_DELAY_MS = 3_600_000

/** Seconds or a date (RFC 9110, 10.2.3), as milliseconds from `now`, at most an hour. */
export function parseRetryAfter (header: string | string[] | undefined, now: number): number | undefined {
  const text = [header].flat()[0]?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_DELAY_MS)
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), MAX_DELAY_MS)
}
