/**
 * Writes server-sent events: no more is made than the client takes, a comment keeps a silent connection from being taken for
 * dead, and a client that takes nothing for a long while is let go.
 */
import type { Events, ServerEvent } from '../eras/era.js'

// 2026-07-28 basic/transports/streamable-http#receiving-messages
const KEEP_ALIVE_MS = 15_000
const KEEP_ALIVE_COMMENT = ': keep-alive\n\n'
const MAX_SILENT_TICKS = 4

/** What is needed of a `ServerResponse`. */
export interface Sink {
  readonly destroyed: boolean
  readonly writableLength: number
  readonly writableNeedDrain: boolean
  write (text: string): boolean
  end (text: string): unknown
  destroy (): unknown
  flushHeaders (): void
  once (event: 'close' | 'drain', listener: () => void): unknown
  off (event: 'close' | 'drain', listener: () => void): unknown
}

/** Resolves when the stream is over, for whatever reason. */
export const writeEvents = async (sink: Sink, events: Events, failed: (error: unknown) => void): Promise<void> => {
  // Do not await: the generator is told by its AbortSignal.
  sink.once('close', () => {
    openSinks.delete(sink)
    events.return().catch(failed)
  })
  startKeepAlive(sink)
  // What is said at once leaves at once, in one piece with the headers; a stream that has nothing to say yet is seen to be open.
  let text = ''
  let flushing: NodeJS.Immediate | undefined = setImmediate(() => {
    flushing = undefined
    if (!sink.destroyed) sink.flushHeaders()
  })
  const flush = (): void => {
    flushing = undefined
    if (text === '' || sink.destroyed) return
    sink.write(text)
    text = ''
  }
  try {
    for (;;) {
      const { done, value } = await events.next()
      if (done || sink.destroyed) break
      if (text === '') {
        clearImmediate(flushing)
        flushing = setImmediate(flush)
      }
      text += textOf(value)
      if (text.length >= FLUSH_AT_CHARS) flush()
      if (sink.writableNeedDrain) await drained(sink)
    }
  } catch (error) {
    failed(error)
  } finally {
    clearImmediate(flushing)
    openSinks.delete(sink)
    sink.end(text)
  }
}

/** What is gathered at most before it leaves, in characters. */
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

const textOf = (event: ServerEvent): string => {
  if (typeof event === 'string') return `event: message\ndata: ${event}\n\n`
  const { id, data, retry } = event
  return (id === undefined ? '' : `id: ${id}\n`) +
    (retry === undefined ? '' : `retry: ${retry}\n`) +
    (data === undefined ? '' : data === '' ? 'data: \n' : `event: message\ndata: ${data}\n`) + '\n'
}

/** One timer for all streams: the rounds that each has been waiting for its client. */
const openSinks = new Map<Sink, number>()
let timer: NodeJS.Timeout | undefined

const startKeepAlive = (sink: Sink): void => {
  openSinks.set(sink, 0)
  timer ??= setInterval(keepAliveTick, KEEP_ALIVE_MS).unref()
}

const keepAliveTick = (): void => {
  for (const [sink, waiting] of openSinks) {
    if (sink.writableLength === 0) {
      openSinks.set(sink, 0)
      sink.write(KEEP_ALIVE_COMMENT)
    } else if (waiting >= MAX_SILENT_TICKS) {
      sink.destroy()
    } else {
      openSinks.set(sink, waiting + 1)
    }
  }
  if (openSinks.size === 0) {
    clearInterval(timer)
    timer = undefined
  }
}
