/** Stores the messages of legacy calls for a while, so that a client that lost its connection gets the rest. */
import { EventEmitter, once } from 'node:events'
import { streamBudget, STREAM_BYTES, type StreamLimits } from './stream-budget.js'

/** A message of a stream with its number, from 1. */
export interface StoredEvent { number: number, data: string }

/** The port that stores the messages of resumable streams. */
export interface EventStore {
  /**
   * Starts a stream that belongs to a session. `ifLost` is the last message that the client gets when the server
   * dies before the end of the stream. `holder` is the caller whose share of the storage it uses; the session by
   * default.
   */
  open (stream: string, session: string, ifLost: string, holder?: string): Promise<void>
  /** Resolves with the number of the message in its stream, starting at 1. */
  append (stream: string, data: string): Promise<number>
  end (stream: string): Promise<void>
  /**
   * Yields the messages after number `after`, and then new ones, until the stream ends or the signal aborts.
   * Resolves with undefined when the session has no such stream, or when the messages after that number are no
   * longer stored.
   */
  follow (
    stream: string, session: string, after: number, signal: AbortSignal
  ): Promise<AsyncIterable<StoredEvent> | undefined>
}

export const STREAM_LIMITS: StreamLimits = { bytes: 64 * 1024 * 1024, keepMs: 300_000, now: () => performance.now() }

interface StoredStream {
  session: string
  events: StoredEvent[]
  last: number
  ended: boolean
  changed: EventEmitter
}

/** Creates a store in memory: 64 MiB in total by default, each stream for 5 minutes after its last message. */
export const memoryEventStore = (bounds: Partial<StreamLimits> = {}): EventStore => {
  const streams = new Map<string, StoredStream>()
  const budget = streamBudget({ ...STREAM_LIMITS, ...bounds }, (name) => {
    const stored = streams.get(name)
    if (!stored) return
    streams.delete(name)
    stored.events = []
    stored.ended = true
    stored.changed.emit('change')
  })

  return {
    async open (name, session, _ifLost, holder = session) {
      const changed = new EventEmitter().setMaxListeners(0)
      streams.set(name, { session, events: [], last: 0, ended: false, changed })
      budget.add(name, STREAM_BYTES, holder)
    },

    async append (name, data) {
      const stored = streams.get(name)
      if (!stored || stored.ended) return 0
      const number = ++stored.last
      stored.events.push({ number, data })
      budget.add(name, Buffer.byteLength(data))
      stored.changed.emit('change')
      return number
    },

    async end (name) {
      const stored = streams.get(name)
      if (!stored) return
      stored.ended = true
      budget.add(name, 0)
      stored.changed.emit('change')
    },

    async follow (name, session, after, signal) {
      const stored = streams.get(name)
      return stored?.session === session && after <= stored.last ? followStream(stored, after, signal) : undefined
    }
  }
}

async function * followStream (
  stored: StoredStream, after: number, signal: AbortSignal
): AsyncGenerator<StoredEvent, void, unknown> {
  while (!signal.aborted) {
    const next = stored.events[after]
    if (next) {
      after = next.number
      yield next
    } else if (stored.ended) {
      return
    } else {
      // It rejects when the signal aborts.
      await once(stored.changed, 'change', { signal }).catch(() => {})
    }
  }
}
