/**
 * Server-sent events as a stream of bytes: no more is made than the client takes, a comment keeps a silent connection from
 * being taken for dead, and a client that takes nothing for a long while is let go.
 */
import { Readable } from 'node:stream'
import type { Events, ServerEvent } from '../eras/era.js'

// 2026-07-28 basic/transports/streamable-http#sending-messages
const KEEP_ALIVE_MS = 15_000
const KEEP_ALIVE = ': keep-alive\n\n'
const MOST_SILENT_ROUNDS = 4

/** Emits `close` when it is over, for whatever reason. */
export const eventStream = (events: Events, failed: (error: unknown) => void): Readable => {
  let reading = false
  const stream = new Readable({
    read () {
      if (reading) return
      reading = true
      events.next().then(({ done, value }) => {
        reading = false
        stream.push(done ? null : textOf(value))
      }, (error: unknown) => {
        failed(error)
        stream.push(null)
      })
    },
    destroy (error, callback) {
      alive.delete(stream)
      // Not waited for: work that is busy hears of it by its signal.
      events.return().catch(failed)
      callback(error)
    }
  })
  keepAlive(stream)
  return stream
}

const textOf = (event: ServerEvent): string => {
  if (typeof event === 'string') return `event: message\ndata: ${event}\n\n`
  const { id, data, retry } = event
  return (id === undefined ? '' : `id: ${id}\n`) +
    (retry === undefined ? '' : `retry: ${retry}\n`) +
    (data === undefined ? '' : data === '' ? 'data: \n' : `event: message\ndata: ${data}\n`) + '\n'
}

/** One timer for all streams: the rounds that each has been waiting for its client. */
const alive = new Map<Readable, number>()
let timer: NodeJS.Timeout | undefined

const keepAlive = (stream: Readable): void => {
  alive.set(stream, 0)
  timer ??= setInterval(round, KEEP_ALIVE_MS).unref()
}

const round = (): void => {
  for (const [stream, waiting] of alive) {
    if (stream.readableLength === 0) {
      alive.set(stream, 0)
      stream.push(KEEP_ALIVE)
    } else if (waiting >= MOST_SILENT_ROUNDS) {
      stream.destroy()
    } else {
      alive.set(stream, waiting + 1)
    }
  }
  if (alive.size === 0) {
    clearInterval(timer)
    timer = undefined
  }
}
