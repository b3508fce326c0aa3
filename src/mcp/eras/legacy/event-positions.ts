/**
 * The places on listening streams, as clients are given them: a position in the feed of changes, signed. Without the signature anybody
 * could ask for a replay from the feed's beginning with each request.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface EventPositions {
  /** The place that an event of this stream has. */
  sign (session: string, stream: string, position: string): string
  /**
   * Undefined for a place that this deployment did not give to this session on this stream. `fresh` is false for one that was given
   * too long ago to go on from.
   */
  read (session: string, stream: string, place: string): { position: string, fresh: boolean } | undefined
}

export interface EventPositionOptions {
  /** The first signs; what any of them signed is accepted. */
  secrets: readonly [string, ...string[]]
  maxAgeMs?: number
  /** Milliseconds since the epoch. */
  now?: () => number
}

const MAX_AGE_MS = 900_000
const MAC_BYTES = 16

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
      const given = Buffer.from(signature, 'base64url')
      const bound = [session, stream, position, at]
      if (given.length !== MAC_BYTES || !keys.some((one) => timingSafeEqual(mac(one, bound), given))) return undefined
      return { position, fresh: Math.abs(now() - parseInt(at, 36)) < maxAgeMs }
    }
  }
}
