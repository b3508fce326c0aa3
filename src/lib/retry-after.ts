// A service that asks for longer is asked again all the same: it may have been a mistake.
const MAX_DELAY_MS = 3_600_000

/** Milliseconds that a `Retry-After` asks for (RFC 9110, 10.2.3: seconds or a date), at most an hour; undefined when it says neither. */
export function parseRetryAfter (header: string | string[] | undefined, now: number): number | undefined {
  const text = [header].flat()[0]?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_DELAY_MS)
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), MAX_DELAY_MS)
}
