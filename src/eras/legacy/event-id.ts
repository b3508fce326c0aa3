/** Ids of server-sent events: the stream and the place in it. 2025-11-25 basic/transports#resumability-and-redelivery */
import { randomBytes } from 'node:crypto'

const PREFIX = { call: 'c-', listening: 'l-' } as const

export const newStream = (of: keyof typeof PREFIX): string => PREFIX[of] + randomBytes(12).toString('base64url')

export const isCallStream = (stream: string): boolean => stream.startsWith(PREFIX.call)

export const eventId = (stream: string, place: string | number): string => `${stream}:${place}`

/** Undefined for what is no id of ours. */
export const readEventId = (id: string): { stream: string, place: string } | undefined => {
  const [, stream, place] = /^([\w-]{1,40}):([\w.-]{1,60})$/.exec(id) ?? []
  return stream === undefined || place === undefined ? undefined : { stream, place }
}
