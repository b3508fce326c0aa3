/**
 * Writes server-sent events. It produces no more than the client reads, sends comments that keep a silent
 * connection open, and closes the connection of a client that reads nothing for a minute.
 */
import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { Events, ServerEvent } from '../eras/era.js'

// 2026-07-28 basic/transports/streamable-http#receiving-messages
const KEEP_ALIVE_MS = 15_000
const KEEP_ALIVE_COMMENT = ': keep-alive\n\n'
const MAX_SILENT_TICKS = 4

type Sink = Writable & Pick<ServerResponse, 'flushHeaders'>

/** Resolves when the stream is over, for whatever reason; never rejects. `failed` gets unexpected errors. */
export const writeEvents = async (sink: Sink, events: Events, failed: (error: unknown) => void): Promise<void> => {
  // Not awaited: `return` waits for the running `next`, which its AbortSignal ends.
  sink.once('close', () => {
    openSinks.delete(sink)
    events.return().catch(failed)
  })
  startKeepAlive(sink)
  // Events that are ready now leave in one packet with the headers. Without events the headers leave alone, so that
  // the client sees the open stream.
  let text = ''
  let flushing: NodeJS.Immediate | undefined
  const flush = (): void => {
    flushing = undefined
    if (isOver(sink)) return
    if (text === '') sink.flushHeaders()
    else sink.write(text)
    text = ''
  }
  flushing = setImmediate(flush)
  try {
    for (;;) {
      const { done, value } = await events.next()
      if (done || isOver(sink)) break
      flushing ??= setImmediate(flush)
      text += encodeEvent(value)
      if (text.length >= FLUSH_AT_CHARS) flush()
      if (sink.writableNeedDrain) await drained(sink)
    }
  } catch (error) {
    failed(error)
  } finally {
    clearImmediate(flushing)
    openSinks.delete(sink)
    if (!isOver(sink)) sink.end(text)
  }
}

/** A write after the end fails, and nothing reports it. */
const isOver = ({ destroyed, writableEnded }: Sink): boolean => destroyed || writableEnded

const FLUSH_AT_CHARS = 16_384

const drained = (sink: Sink): Promise<void> => new Promise((resolve) => {
  const go = (): void => {
    sink.off('drain', go)
    sink.off('close', go)
    resolve()
  }
  sink.once('drain', go)
  sink.once('close', go)
})

export const encodeEvent = (event: ServerEvent): string => {
  if (typeof event === 'string') return `event: message\ndata: ${event}\n\n`
  const { id, data, retry } = event
  return (id === undefined ? '' : `id: ${id}\n`) +
    (retry === undefined ? '' : `retry: ${retry}\n`) +
    (data === undefined ? '' : data === '' ? 'data: \n' : `event: message\ndata: ${data}\n`) + '\n'
}

/** The open streams, for the one timer that they share: in how many ticks the client has read nothing. */
const openSinks = new Map<Sink, number>()
let timer: NodeJS.Timeout | undefined

const startKeepAlive = (sink: Sink): void => {
  openSinks.set(sink, 0)
  timer ??= setInterval(keepAliveTick, KEEP_ALIVE_MS).unref()
}

const keepAliveTick = (): void => {
  for (const [sink, waiting] of openSinks) {
    if (sink.writableLength === 0 && !isOver(sink)) {
      openSinks.set(sink, 0)
      sink.write(KEEP_ALIVE_COMMENT)
    } else if (waiting >= MAX_SILENT_TICKS) {
      sink.destroy()
    } else {
      openSinks.set(sink, waiting + 1)
    }
  }
  if (openSinks.size > 0) return
  clearInterval(timer)
  timer = undefined
}
