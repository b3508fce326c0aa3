/** Milliseconds that a `Retry-After` asks for (RFC 9110, 10.2.3: seconds or a date); undefined when it says neither. */
export function retryAfter (header: string | string[] | undefined, now: number): number | undefined {
  const text = [header].flat()[0]?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
