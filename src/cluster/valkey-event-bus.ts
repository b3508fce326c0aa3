/**
 * The bus of several replicas, over one stream in Valkey that each of them reads from where it stopped: who loses the connection for a
 * moment misses nothing. What is said here is heard here at once, and by the others soon; a claim is heard here when the others hear it.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'iovalkey'
import { memoryEventBus, type EventBus, type BusEvents } from '../mcp/event-bus.js'
import { isObject } from '../mcp/jsonrpc/parse.js'
import { script, type Valkey } from './valkey.js'
import { parseBoundedJson } from '../lib/json-depth.js'

export interface ValkeyEventBus extends EventBus { close (): void }

const STREAM = 'exploration-mcp:bus'
const TOPICS: Record<keyof BusEvents, true> = {
  cancelled: true,
  clientResponded: true,
  streamClaimed: true,
  task: true,
  streamAppended: true
}

// By Valkey's own clock, whatever those of the replicas say.
const KEEP_MS = 30_000
const APPEND = script(`
  local now = redis.call('TIME')
  redis.call('XADD', KEYS[1], 'MINID', '~', string.format('%.0f', now[1] * 1000 - ${KEEP_MS}), '*', 'm', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ${2 * KEEP_MS})`)

const WAIT_MS = 2000
/** How long Valkey may take beyond that. */
const TIMEOUT_MS = 1000
const PAUSE_MS = 100

export const valkeyEventBus = async (valkey: Valkey): Promise<ValkeyEventBus> => {
  const here = memoryEventBus()
  const self = randomUUID()
  const reader = await valkey.reader()
  let place = await newestEntry(reader)
  const closing = new AbortController()

  const deliver = (message: string): void => {
    const { from, topic, signal } = read(message)
    if (from !== self && isTopic(topic) && isObject(signal)) here.publish(topic, signal as unknown as BusEvents[typeof topic])
  }

  const listen = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        const entries = await withReadTimeout(reader, reader.xread('COUNT', 500, 'BLOCK', WAIT_MS, 'STREAMS', STREAM, place))
        for (const [id, [, message = '']] of entries?.[0]?.[1] ?? []) {
          place = id
          deliver(message)
        }
      } catch {
        await sleep(PAUSE_MS, undefined, { ref: false, signal: closing.signal })
        place = await resumePosition(reader, place)
      }
    }
  }
  listen().catch(() => {})

  const append = (message: object): Promise<unknown> => valkey.run(APPEND, [STREAM], [JSON.stringify(message)])

  const publishReliably: EventBus['publishReliably'] = async (topic, signal) => {
    here.publish(topic, signal)
    await append({ from: self, topic, signal })
  }

  return {
    publishReliably,
    publish (topic, signal) {
      publishReliably(topic, signal).catch(() => {})
    },
    publishOrdered (topic, signal) {
      // Nobody else hears it then, and there is no order to keep.
      append({ topic, signal }).catch(() => here.publish(topic, signal))
    },
    subscribe: here.subscribe,
    close () {
      closing.abort()
      reader.disconnect()
    }
  }
}

/** A connection that is silent for longer than it was asked to be is made again. */
const withReadTimeout = async <T>(reader: Redis, reading: Promise<T>): Promise<T> => {
  const timer = setTimeout(() => { reader.disconnect(true) }, WAIT_MS + TIMEOUT_MS).unref()
  return await reading.finally(() => clearTimeout(timer))
}

const newestEntry = async (reader: Redis): Promise<string> => {
  const [entry] = await reader.xrevrange(STREAM, '+', '-', 'COUNT', 1)
  return entry?.[0] ?? '0-0'
}

/** Where to go on. A stream that does not reach as far as was read is another one: Valkey was emptied, and its clock set back. */
const resumePosition = async (reader: Redis, place: string): Promise<string> => {
  const end = await newestEntry(reader).catch(() => place)
  return isBefore(end, place) ? '0-0' : place
}

const isBefore = (one: string, other: string): boolean => {
  const [oneMs = 0, oneNumber = 0] = one.split('-').map(Number)
  const [otherMs = 0, otherNumber = 0] = other.split('-').map(Number)
  return oneMs === otherMs ? oneNumber < otherNumber : oneMs < otherMs
}

const isTopic = (name: unknown): name is keyof BusEvents => typeof name === 'string' && Object.hasOwn(TOPICS, name)

const read = (message: string): { from?: unknown, topic?: unknown, signal?: unknown } => {
  try {
    const value = parseBoundedJson(message)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
