/** What was said on the streams of legacy calls, kept for a while so that a client that lost its connection gets the rest. */
import { streamBudget, STREAM_BYTES, type StreamLimits } from './stream-budget.js'

export interface StoredEvent { number: number, data: string }

export interface EventStore {
  /**
   * Starts a stream that belongs to a session. `ifLost` is what its client is told at last should the server be gone before its end;
   * `holder` is the caller whose share of the log it takes, the session when absent.
   */
  open (stream: string, session: string, ifLost: string, holder?: string): Promise<void>
  /** Resolves with the message's number in its stream, from 1. */
  append (stream: string, data: string): Promise<number>
  /** Nothing more comes on the stream. */
  end (stream: string): Promise<void>
  /**
   * What came after an event, then what comes, until the stream ends or the signal fires. Undefined when the session has no
   * such stream or what came after the event is no longer kept.
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
  wake: Set<() => void>
}

/** In the memory of one process. */
export const memoryEventStore = (bounds: Partial<StreamLimits> = {}): EventStore => {
  const streams = new Map<string, StoredStream>()
  const budget = streamBudget({ ...STREAM_LIMITS, ...bounds }, (name) => {
    const stored = streams.get(name)!
    streams.delete(name)
    stored.events = []
    stored.ended = true
    wake(stored)
  })

  return {
    async open (name, session, _ifLost, holder = session) {
      streams.set(name, { session, events: [], last: 0, ended: false, wake: new Set() })
      budget.add(name, STREAM_BYTES, holder)
    },

    async append (name, data) {
      const stored = streams.get(name)
      if (!stored || stored.ended) return 0
      const number = ++stored.last
      stored.events.push({ number, data })
      budget.add(name, Buffer.byteLength(data))
      wake(stored)
      return number
    },

    async end (name) {
      const stored = streams.get(name)
      if (!stored) return
      stored.ended = true
      budget.add(name, 0)
      wake(stored)
    },

    async follow (name, session, after, signal) {
      const stored = streams.get(name)
      return stored?.session === session && after <= stored.last ? followStream(stored, after, signal) : undefined
    }
  }
}

const wake = ({ wake }: StoredStream): void => {
  for (const listener of wake) listener()
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
      await new Promise<void>((resolve) => {
        const go = (): void => {
          stored.wake.delete(go)
          signal.removeEventListener('abort', go)
          resolve()
        }
        stored.wake.add(go)
        signal.addEventListener('abort', go, { once: true })
      })
    }
  }
}
