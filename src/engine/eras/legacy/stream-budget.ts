/**
 * Bounds the storage of streams, in total and for each caller. A caller that reaches its bound drops its own
 * streams, the longest silent first. Only the bound of all callers together drops streams of others.
 */

export interface StreamLimits {
  /** Bytes of all streams together. */
  bytes: number
  /** Bytes of the streams of one caller; an eighth of `bytes` by default. */
  bytesPerHolder?: number
  /** How long a stream is stored after its last message, in milliseconds. */
  keepMs: number
  now: () => number
}

/** What a stream needs beside its messages. */
export const STREAM_BYTES = 512

interface StreamShare { bytes: number, at: number, holder: string }

/** Calls `drop` for each stream that must be deleted, because of a bound (`size`) or because of its age (`age`). */
export const streamBudget = (
  { bytes: max, bytesPerHolder = Math.ceil(max / 8), keepMs, now }: StreamLimits,
  drop: (stream: string, why: 'size' | 'age') => void
) => {
  // Both maps are in the order of the last message.
  const streams = new Map<string, StreamShare>()
  const holders = new Map<string, { bytes: number, streams: Set<string> }>()
  let total = 0

  const release = (stream: string, { bytes, holder }: StreamShare, why: 'size' | 'age'): void => {
    streams.delete(stream)
    total -= bytes
    const share = holders.get(holder)
    if (share) {
      share.bytes -= bytes
      share.streams.delete(stream)
      if (share.streams.size === 0) holders.delete(holder)
    }
    drop(stream, why)
  }

  return {
    /** Counts bytes that were added to a stream. `holder` is its caller; it is read with the first call only. */
    add (stream: string, bytes: number, holder = ''): void {
      const one = streams.get(stream) ?? { bytes: 0, at: 0, holder }
      streams.delete(stream)
      streams.set(stream, one)
      one.bytes += bytes
      one.at = now()
      total += bytes
      const share = holders.get(one.holder) ?? { bytes: 0, streams: new Set() }
      holders.set(one.holder, share)
      share.bytes += bytes
      share.streams.delete(stream)
      share.streams.add(stream)

      for (const [name, other] of streams) {
        if (other.at + keepMs > one.at) break
        release(name, other, 'age')
      }
      for (const name of share.streams) {
        if (share.bytes <= bytesPerHolder) break
        const other = streams.get(name)
        if (other) release(name, other, 'size')
      }
      for (const [name, other] of streams) {
        if (total <= max) break
        release(name, other, 'size')
      }
    }
  }
}
