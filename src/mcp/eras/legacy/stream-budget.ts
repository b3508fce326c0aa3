/**
 * What streams hold together is bounded, and so is what the streams of one caller hold: one that says something may push out those of
 * its caller that said nothing for the longest time, and no caller pushes out what others hold by itself.
 */

export interface StreamLimits {
  /** What all streams may hold together. */
  bytes: number
  /** What the streams of one caller may hold; an eighth of all when absent. */
  bytesPerHolder?: number
  /** How long a stream is kept after its last message, in milliseconds. */
  keepMs: number
  now: () => number
}

export interface StreamBudget {
  /** A stream said something of so many bytes. `holder`, whose it is, counts with the first. */
  add (stream: string, bytes: number, holder?: string): void
}

/** What a stream takes beside its messages. */
export const STREAM_BYTES = 512

interface Held { bytes: number, at: number, holder: string }

/** `drop` is told of each stream that is no longer kept. */
export const streamBudget = (
  { bytes: max, bytesPerHolder = Math.ceil(max / 8), keepMs, now }: StreamLimits,
  drop: (stream: string, why: 'room' | 'age') => void
): StreamBudget => {
  // Both in the order of their last message.
  const streams = new Map<string, Held>()
  const holders = new Map<string, { bytes: number, streams: Set<string> }>()
  let total = 0

  const release = (stream: string, { bytes, holder }: Held, why: 'room' | 'age'): void => {
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
    add (stream, bytes, holder = '') {
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
        release(name, streams.get(name)!, 'room')
      }
      for (const [name, other] of streams) {
        if (total <= max) break
        release(name, other, 'room')
      }
    }
  }
}
