// How long the turns of this thread's event loop are, by the clock and by processor time: on a busy machine the clock goes on while the thread waits
// for a processor (Linux only, main thread only).
import { openSync, readSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

// A timer ends at most once a turn, so that what passed between two of them is at most this and one turn.
const RESOLUTION_MS = 1

/** Starts to watch; `read` gives milliseconds since its last call: the 99th percentile and the longest by the clock, the longest by processor time. */
export const watchTurns = () => {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`)
  const buffer = Buffer.alloc(64)
  const processorMs = () => Number.parseInt(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)), 10) / 1e6
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  let last = processorMs()
  let longest = 0
  setInterval(() => {
    const now = processorMs()
    longest = Math.max(longest, now - last)
    last = now
  }, RESOLUTION_MS).unref()
  return {
    read () {
      const [p99, max] = [delays.percentile(99), delays.max].map((nanoseconds) => nanoseconds / 1e6 - RESOLUTION_MS)
      const turns = { turnP99: p99, turnMax: max, turnCpuMax: longest }
      delays.reset()
      longest = 0
      return turns
    }
  }
}
