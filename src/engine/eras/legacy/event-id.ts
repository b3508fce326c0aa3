/**
 * Ids of server-sent events: the stream and the position in it. 2025-11-25
 * basic/transports#resumability-and-redelivery
 */
import { randomBytes } from 'node:crypto'

const PREFIX = { call: 'c-', listening: 'l-' } as const

/** Returns a new random stream name. Its prefix tells the kind: the stream of a call, or one opened by GET. */
export const newStream = (of: keyof typeof PREFIX): string => PREFIX[of] + randomBytes(12).toString('base64url')

/** Returns the id of an event: the stream's name, a colon and the position. */
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
