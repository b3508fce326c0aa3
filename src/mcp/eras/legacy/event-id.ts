/** Ids of server-sent events: the stream and the place in it. 2025-11-25 basic/transports#resumability-and-redelivery */
import { randomBytes } from 'node:crypto'

const PREFIX = { call: 'c-', listening: 'l-' } as const

export const newStream = (of: keyof typeof PREFIX): string => PREFIX[of] + randomBytes(12).toString('base64url')

export const eventId = (stream: string, place: string | number): string => `${stream}:${place}`

/** The number of a message on the stream of a call, or a place on a listening stream, which only `EventPositions` reads. */
export type EventId = { stream: string, number: number } | { stream: string, place: string }

/** Undefined for what is no id of ours: a number is decimal digits and a safe integer, as nothing else may reach the event log. */
export const readEventId = (id: string): EventId | undefined => {
  const [, call, number] = /^(c-[\w-]{1,38}):(\d{1,15})$/.exec(id) ?? []
  if (call !== undefined && number !== undefined) return { stream: call, number: Number(number) }
  const [, stream, place] = /^(l-[\w-]{1,38}):([\w.-]{1,100})$/.exec(id) ?? []
  return stream === undefined || place === undefined ? undefined : { stream, place }
}
