/** When a new credential ends, as a form asks for it. */
import { Refusal } from '../lib/errors.js'

export interface ExpiryRequest {
  /** RFC 3339. */
  expires_at?: string | undefined
  expires_in_days?: number | undefined
  never?: true | undefined
}

const DAY_MS = 86_400_000
/** Longer than anybody means to say; the database knows no end that is further away. */
const NEVER_MS = 100 * 365 * DAY_MS

/**
 * Returns the time to live in milliseconds; undefined when the credential never ends.
 * @param standardDays when nothing is asked for
 * @throws {Refusal} for more than one answer, or a time that has passed or is too far away
 */
export const expiresInMs = (
  { expires_at: at, expires_in_days: days, never }: ExpiryRequest, standardDays: number
): number | undefined => {
  if ([at, days, never].filter((value) => value !== undefined).length > 1) {
    throw new Refusal('Give one of expires_at, expires_in_days and never.')
  }
  if (never) return undefined
  if (at === undefined) return (days ?? standardDays) * DAY_MS
  const ms = Date.parse(at) - Date.now()
  if (!(ms > 0)) throw new Refusal('The time of expiry has passed: choose a later one.')
  if (ms > NEVER_MS) {
    throw new Refusal('The time of expiry is more than a hundred years away: choose "never" instead of it.')
  }
  return ms
}

/** The same for a personal access token, which always has an end: "never" is a hundred years. */
export const tokenExpiresInMs = (request: ExpiryRequest, standardDays: number): number =>
  expiresInMs(request, standardDays) ?? NEVER_MS
