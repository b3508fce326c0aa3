/**
 * Writes the events on this process's streams to Valkey. Each stream has one writer, which numbers its messages.
 * Messages that could not be written while Valkey was away are written in order when it is back.
 */
import type { EventBus } from '../engine/event-bus.js'
import { script, type Valkey } from './valkey.js'
import { STREAM_LIMITS } from '../engine/eras/legacy/event-store.js'
import { streamBudget, STREAM_BYTES, type StreamLimits } from '../engine/eras/legacy/stream-budget.js'

const MAX_MESSAGES = 1000

export const keysOf = (stream: string): [events: string, owner: string] =>
  [`exploration-mcp:events:${stream}`, `exploration-mcp:owner:${stream}`]

/** The sequence number of a message's entry: entry 0-1 opens a stream, message 1 is entry 0-2. */
export const placeOf = (number: number): number => number + 1

interface FieldEntry { field: 'open' | 'data' | 'end', value: string, number: number }
interface WriteState { last: number, waiting: FieldEntry[], writing: Promise<void> }

// Longer than the longest call.
const OWNER_KEEP_MS = 3_600_000

// Idempotent: a retry after a lost reply adds no second entry.
const ADD = script(`
  local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
  local place = tonumber(ARGV[1])
  if #last == 0 or tonumber(string.sub(last[1][1], 3)) < place then
    redis.call('XADD', KEYS[1], 'MAXLEN', '${MAX_MESSAGES}', '0-' .. ARGV[1], ARGV[2], ARGV[3])
  end
  redis.call('PEXPIRE', KEYS[1], '${STREAM_LIMITS.keepMs}')
  if ARGV[2] == 'open' then redis.call('SET', KEYS[2], ARGV[3], 'PX', '${OWNER_KEEP_MS}') end`)

/** Half of what a replica may hold in its memory: several share the memory of Valkey. */
const MAX_HELD_IN_VALKEY: StreamLimits = { ...STREAM_LIMITS, bytes: STREAM_LIMITS.bytes / 2 }

/**
 * `bounds` limits what this replica holds in Valkey, and in its own memory while Valkey is away. The oldest streams
 * are dropped first. `append` and `end` never reject: what cannot be written waits.
 */
export const eventWriter = (valkey: Valkey, bus: EventBus, bounds: StreamLimits = MAX_HELD_IN_VALKEY) => {
  const writings = new Map<string, WriteState>()
  const budget = streamBudget(bounds, (stream, why) => {
    const writing = writings.get(stream)
    // Written entries expire by their TTL. Only entries that wait for Valkey must be dropped here.
    if (why === 'age' && !writing?.waiting.length) return
    writings.delete(stream)
    if (writing) writing.waiting = []
    const written = writing?.writing ?? Promise.resolve()
    const deletion = written.then(() => valkey.ask((commands) => commands.unlink(...keysOf(stream))))
    deletion.then(() => bus.publish('streamAppended', { stream }), () => {})
  })

  const drain = async (stream: string, writing: WriteState): Promise<void> => {
    for (let [entry] = writing.waiting; entry; [entry] = writing.waiting) {
      try {
        await valkey.run(ADD, keysOf(stream), [placeOf(entry.number), entry.field, entry.value])
      } catch {
        return
      }
      writing.waiting.shift()
      bus.publish('streamAppended', { stream })
      if (entry.field === 'end') writings.delete(stream)
    }
  }

  /** Resolves to the message's number when it is written, or when it must wait for Valkey. */
  const write = async (
    stream: string, writing: WriteState, field: FieldEntry['field'], value: string, holder?: string
  ): Promise<number> => {
    const number = field === 'open' ? 0 : ++writing.last
    // Too much to catch up: drop the stream. A client that resumes it is told to send its request again.
    if (writing.waiting.length >= MAX_MESSAGES) writings.delete(stream)
    else writing.waiting.push({ field, value, number })
    budget.add(stream, Buffer.byteLength(value) + (field === 'open' ? STREAM_BYTES : 0), holder)
    writing.writing = writing.writing.then(() => drain(stream, writing))
    await writing.writing
    return number
  }

  valkey.watch((reason) => {
    if (reason !== undefined) return
    for (const [stream, writing] of writings) writing.writing = writing.writing.then(() => drain(stream, writing))
  })

  return {
    /** Begins a stream. `owner` is stored beside it; its bytes count against the share of `holder`. */
    async open (stream: string, owner: string, holder?: string): Promise<void> {
      const writing: WriteState = { last: 0, waiting: [], writing: Promise.resolve() }
      writings.set(stream, writing)
      await write(stream, writing, 'open', owner, holder)
    },

    async append (stream: string, data: string): Promise<number> {
      const writing = writings.get(stream)
      return writing ? write(stream, writing, 'data', data) : 0
    },

    async end (stream: string): Promise<void> {
      const writing = writings.get(stream)
      if (writing) await write(stream, writing, 'end', '')
    }
  }
}
