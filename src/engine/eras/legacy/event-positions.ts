/**
 * The positions on listening streams, as clients get them: positions in the change feed, signed. Without the
 * signature a client could ask for a replay from the start of the feed with each request.
 */
import { createHmac } from 'node:crypto'
import { isSame } from '../../../lib/text/signed-text.js'

const MAX_AGE_MS = 900_000
const MAC_BYTES = 16

export type EventPositions = ReturnType<typeof eventPositions>

/** The first secret signs; signatures of all of them are accepted. `now` is in milliseconds since the epoch. */
export const eventPositions = (secrets: readonly [string, ...string[]], now: () => number = Date.now) => {
  const mac = (secret: string, bound: readonly string[]): string => {
    const key = createHmac('sha256', secret).update('event position').digest()
    return createHmac('sha256', key).update(JSON.stringify(bound)).digest().subarray(0, MAC_BYTES).toString('base64url')
  }

  return {
    /** Returns the signed position of an event on this stream. */
    sign (session: string, stream: string, position: string): string {
      const at = now().toString(36)
      return `${position}.${at}.${mac(secrets[0], [session, stream, position, at])}`
    },

    /** Undefined for a place that was not signed for this session and stream; not fresh when it is too old. */
    read (session: string, stream: string, place: string): { position: string, fresh: boolean } | undefined {
      const [, position, at, signature] = /^(\d{1,19}\.\d{1,18})\.([0-9a-z]{1,11})\.([\w-]{22})$/.exec(place) ?? []
      if (position === undefined || at === undefined || signature === undefined) return undefined
      if (!secrets.some((secret) => isSame(mac(secret, [session, stream, position, at]), signature))) return undefined
      return { position, fresh: Math.abs(now() - parseInt(at, 36)) < MAX_AGE_MS }
    }
  }
}
