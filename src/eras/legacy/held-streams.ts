/** What streams hold together is bounded: one that says something may push out those that said nothing for the longest time. */

export interface Bounds {
  /** What all streams may hold together. */
  bytes: number
  /** How long a stream is kept after its last message, in milliseconds. */
  keepMs: number
  now: () => number
}

export interface HeldStreams {
  /** A stream said something of so many bytes. */
  add (stream: string, bytes: number): void
}

/** `drop` is told of each stream that is no longer kept. */
export const heldStreams = ({ bytes: most, keepMs, now }: Bounds, drop: (stream: string, why: 'room' | 'age') => void): HeldStreams => {
  // In the order of their last message.
  const streams = new Map<string, { bytes: number, at: number }>()
  let held = 0
  return {
    add (stream, bytes) {
      const one = streams.get(stream) ?? { bytes: 0, at: 0 }
      streams.delete(stream)
      streams.set(stream, one)
      one.bytes += bytes
      one.at = now()
      held += bytes
      for (const [oldest, other] of streams) {
        const old = other.at + keepMs <= one.at
        if (!old && held <= most) break
        streams.delete(oldest)
        held -= other.bytes
        drop(oldest, old ? 'age' : 'room')
      }
    }
  }
}
