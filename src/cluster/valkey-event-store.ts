/**
 * The events on the streams of legacy calls, in Valkey. A client that lost its replica reads the rest from another one.
 * When the replica itself is gone, its unfinished streams end with an error event.
 */
import type { EventBus } from '../engine/event-bus.js'
import { parseObject } from '../lib/json/json-object.js'
import type { Heartbeat } from './replica-heartbeat.js'
import { script, type Valkey } from './valkey.js'
import type { EventStore, StoredEvent } from '../engine/eras/legacy/event-store.js'
import { eventWriter, keysOf, placeOf } from './valkey-event-writer.js'

/** After this many polls without news, a follower checks whether the replica that writes the stream is alive. */
const MAX_IDLE_POLLS = 3

const FAIL_ABANDONED = script(`
  local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
  if #last == 0 or last[1][2][1] == 'end' then return end
  redis.call('XADD', KEYS[1], '0-*', 'data', ARGV[1])
  redis.call('XADD', KEYS[1], '0-*', 'end', '')`)

type StreamEntry = [id: string, fields: string[]]

/** The number of the message in the entry `0-<sequence number>`. */
const numberOf = (id: string): number => Number(id.split('-')[1]) - 1

interface StreamOwner { session: string, replica: string, ifLost: string }

/**
 * Streams of every replica can be followed. Followers poll every `pollEveryMs` milliseconds in case a bus event got
 * lost. Calls reject with the `Fault` `unavailable` while Valkey is away.
 */
export const valkeyEventStore = (
  valkey: Valkey, bus: EventBus, heartbeat: Heartbeat, pollEveryMs = 1000
): EventStore => {
  const writer = eventWriter(valkey, bus)

  const ownerOf = async (stream: string): Promise<StreamOwner | undefined> =>
    readOwner(await valkey.ask((commands) => commands.get(keysOf(stream)[1])) ?? '')

  const entriesAfter = (stream: string, after: number): Promise<StreamEntry[]> =>
    valkey.ask((commands) => commands.xrange(keysOf(stream)[0], `(0-${placeOf(after)}`, '+', 'COUNT', 100))

  async function * following (
    stream: string, { replica, ifLost }: StreamOwner, after: number, signal: AbortSignal
  ): AsyncGenerator<StoredEvent, void, unknown> {
    let news = true
    let wake = (): void => {}
    const poll = (): void => {
      news = true
      wake()
    }
    const unsubscribe = bus.subscribe('streamAppended', (appended) => { if (appended.stream === stream) poll() })
    signal.addEventListener('abort', poll)
    try {
      for (let silent = 0; !signal.aborted; silent++) {
        news = false
        const entries = await entriesAfter(stream, after)
        for (const [id, [field, value = '']] of entries) {
          if (field === 'end') return
          // The `open` entry holds the owner and is no message.
          if (field !== 'data') continue
          silent = 0
          after = numberOf(id)
          yield { number: after, data: value }
        }
        const isThere = entries.length > 0 || await valkey.ask((commands) => commands.exists(keysOf(stream)[0])) > 0
        if (!isThere) return
        if (silent >= MAX_IDLE_POLLS && !await heartbeat.isAlive(replica)) {
          await valkey.run(FAIL_ABANDONED, keysOf(stream), [ifLost])
        } else if (!news) await wakeOrTimeout(pollEveryMs, (resolve) => { wake = resolve })
      }
    } finally {
      unsubscribe()
      signal.removeEventListener('abort', poll)
    }
  }

  return {
    open: (stream, session, ifLost, holder = session) =>
      writer.open(stream, JSON.stringify({ session, replica: heartbeat.id, ifLost } satisfies StreamOwner), holder),
    append: writer.append,
    end: writer.end,

    async follow (stream, session, after, signal) {
      const owner = await ownerOf(stream)
      if (owner?.session !== session) return undefined
      const [[first], [last]] = await valkey.ask((commands) => Promise.all([
        commands.xrange(keysOf(stream)[0], '-', '+', 'COUNT', 1),
        commands.xrevrange(keysOf(stream)[0], '+', '-', 'COUNT', 1)
      ]))
      if (!first || !last) return undefined
      const newest = numberOf(last[0]) - (last[1][0] === 'end' ? 1 : 0)
      return after <= newest && numberOf(first[0]) <= after + 1 ? following(stream, owner, after, signal) : undefined
    }
  }
}

const readOwner = (text: string): StreamOwner | undefined => {
  const { session, replica, ifLost } = parseObject(text) ?? {}
  return typeof session === 'string' && typeof replica === 'string' && typeof ifLost === 'string'
    ? { session, replica, ifLost }
    : undefined
}

const wakeOrTimeout = async (ms: number, woken: (resolve: () => void) => void): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  await new Promise<void>((resolve) => {
    woken(resolve)
    timer = setTimeout(resolve, ms).unref()
  })
  clearTimeout(timer)
}
