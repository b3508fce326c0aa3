/** Ids of server-sent events: stream and position. 2025-11-25 basic/transports#resumability-and-redelivery */
import { createHmac, randomBytes } from 'node:crypto'
import { isSame } from '../../../lib/text/signed-text.js'

const PREFIX = { call: 'c-', listening: 'l-' } as const

export const newStream = (of: keyof typeof PREFIX): string => PREFIX[of] + randomBytes(12).toString('base64url')

export const eventId = (stream: string, place: string | number): string => `${stream}:${place}`

/** The number of a message of a call, or a signed position that only `EventPositions` reads. */
export type EventId = { stream: string, number: number } | { stream: string, place: string }

/** Undefined for an id that this server cannot have made. 15 digits are a safe integer. */
export const readEventId = (id: string): EventId | undefined => {
  const [, call, number] = /^(c-[\w-]{1,38}):(\d{1,15})$/.exec(id) ?? []
  if (call !== undefined && number !== undefined) return { stream: call, number: Number(number) }
  const [, stream, place] = /^(l-[\w-]{1,38}):([\w.-]{1,100})$/.exec(id) ?? []
  return stream === undefined || place === undefined ? undefined : { stream, place }
}

const MAX_AGE_MS = 900_000
const MAC_BYTES = 16

export type EventPositions = ReturnType<typeof eventPositions>

/**
 * Signed positions in the change feed. Without the signature a client could ask for a replay from the start of the feed
 * with each request. The first secret signs; signatures of all of them are accepted. `now` is in milliseconds since the
 * epoch.
 */
export const eventPositions = (secrets: readonly [string, ...string[]], now: () => number = Date.now) => {
  const mac = (secret: string, bound: readonly string[]): string => {
    const key = createHmac('sha256', secret).update('event position').digest()
    return createHmac('sha256', key).update(JSON.stringify(bound)).digest().subarray(0, MAC_BYTES).toString('base64url')
  }

  return {
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
