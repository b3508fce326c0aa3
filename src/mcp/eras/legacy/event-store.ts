/** What was said on the streams of legacy calls, kept for a while so that a client that lost its connection gets the rest. */
import { heldStreams, STREAM_BYTES, type Bounds } from './stream-budget.js'

export interface LoggedEvent { number: number, data: string }

export interface EventLog {
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
  follow (stream: string, session: string, after: number, signal: AbortSignal): Promise<AsyncIterable<LoggedEvent> | undefined>
}

export const MOST_HELD: Bounds = { bytes: 64 * 1024 * 1024, keepMs: 300_000, now: () => performance.now() }

interface Kept {
  session: string
  events: LoggedEvent[]
  last: number
  ended: boolean
  wake: Set<() => void>
}

/** In the memory of one process. */
export const memoryEventLog = (bounds: Partial<Bounds> = {}): EventLog => {
  const streams = new Map<string, Kept>()
  const held = heldStreams({ ...MOST_HELD, ...bounds }, (name) => {
    const kept = streams.get(name)!
    streams.delete(name)
    kept.events = []
    kept.ended = true
    wake(kept)
  })

  return {
    async open (name, session, _ifLost, holder = session) {
      streams.set(name, { session, events: [], last: 0, ended: false, wake: new Set() })
      held.add(name, STREAM_BYTES, holder)
    },

    async append (name, data) {
      const kept = streams.get(name)
      if (!kept || kept.ended) return 0
      const number = ++kept.last
      kept.events.push({ number, data })
      held.add(name, Buffer.byteLength(data))
      wake(kept)
      return number
    },

    async end (name) {
      const kept = streams.get(name)
      if (!kept) return
      kept.ended = true
      held.add(name, 0)
      wake(kept)
    },

    async follow (name, session, after, signal) {
      const kept = streams.get(name)
      return kept?.session === session && after <= kept.last ? following(kept, after, signal) : undefined
    }
  }
}

const wake = ({ wake }: Kept): void => {
  for (const listener of wake) listener()
}

async function * following (kept: Kept, after: number, signal: AbortSignal): AsyncGenerator<LoggedEvent, void, unknown> {
  while (!signal.aborted) {
    const next = kept.events[after]
    if (next) {
      after = next.number
      yield next
    } else if (kept.ended) {
      return
    } else {
      await new Promise<void>((resolve) => {
        const go = (): void => {
          kept.wake.delete(go)
          signal.removeEventListener('abort', go)
          resolve()
        }
        kept.wake.add(go)
        signal.addEventListener('abort', go, { once: true })
      })
    }
  }
}
