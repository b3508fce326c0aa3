/**
 * The positions on listening streams, as clients get them: positions in the change feed, signed. Without the
 * signature a client could ask for a replay from the start of the feed with each request.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface EventPositions {
  /** Returns the signed position of an event on this stream. */
  sign (session: string, stream: string, position: string): string
  /**
   * Verifies a signed position. Returns undefined when this deployment did not sign it for this session and stream.
   * `fresh` is false when it was signed too long ago to continue from.
   */
  read (session: string, stream: string, place: string): { position: string, fresh: boolean } | undefined
}

export interface EventPositionOptions {
  /** The first secret signs; signatures of all of them are accepted. */
  secrets: readonly [string, ...string[]]
  maxAgeMs?: number
  /** Milliseconds since the epoch. */
  now?: () => number
}

const MAX_AGE_MS = 900_000
const MAC_BYTES = 16

/** Creates the signer. `maxAgeMs` is 15 minutes by default. */
export const eventPositions = (
  { secrets, maxAgeMs = MAX_AGE_MS, now = Date.now }: EventPositionOptions
): EventPositions => {
  const keys = secrets.map((secret) => createHmac('sha256', secret).update('event position').digest())
  const [key] = keys

  const mac = (by: Buffer | undefined, bound: readonly string[]): Buffer =>
    createHmac('sha256', by ?? '').update(JSON.stringify(bound)).digest().subarray(0, MAC_BYTES)

  return {
    sign (session, stream, position) {
      const at = now().toString(36)
      return `${position}.${at}.${mac(key, [session, stream, position, at]).toString('base64url')}`
    },

    read (session, stream, place) {
      const [, position, at, signature] = /^(\d{1,19}\.\d{1,18})\.([0-9a-z]{1,11})\.([\w-]{22})$/.exec(place) ?? []
      if (position === undefined || at === undefined || signature === undefined) return undefined
      const received = Buffer.from(signature, 'base64url')
      const bound = [session, stream, position, at]
      if (received.length !== MAC_BYTES || !keys.some((one) => timingSafeEqual(mac(one, bound), received))) {
        return undefined
      }
      return { position, fresh: Math.abs(now() - parseInt(at, 36)) < maxAgeMs }
    }
  }
}
