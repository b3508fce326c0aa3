/**
 * The event bus of several replicas: one stream in Valkey. Each replica reads it from its last position, so that it
 * misses nothing after a lost connection. `publish` reaches local subscribers at once; `publishOrdered` reaches them
 * when the entry comes back from Valkey, in the same order as on the other replicas.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'iovalkey'
import { memoryEventBus, type EventBus, type BusEvents } from '../engine/event-bus.js'
import { isObject, parseObject } from '../lib/json/json-object.js'
import type { Id } from '../engine/jsonrpc/message.js'
import { script, type Valkey } from './valkey.js'

export interface ValkeyEventBus extends EventBus { close (): void }

const STREAM = 'exploration-mcp:bus'

// Trimmed by Valkey's clock: the clocks of the replicas may differ.
const KEEP_MS = 30_000
const APPEND = script(`
  local now = redis.call('TIME')
  redis.call('XADD', KEYS[1], 'MINID', '~', string.format('%.0f', now[1] * 1000 - ${KEEP_MS}), '*', 'm', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ${2 * KEEP_MS})`)

const WAIT_MS = 2000
/** How long the reply to a blocking read may be late. */
const TIMEOUT_MS = 1000
const PAUSE_MS = 100

/** Begins at the newest entry. @throws the connection error when Valkey cannot be reached */
export const valkeyEventBus = async (valkey: Valkey): Promise<ValkeyEventBus> => {
  const here = memoryEventBus()
  const self = randomUUID()
  const reader = await valkey.reader()
  let position = await newestEntry(reader)
  const closing = new AbortController()

  const deliver = (message: string): void => {
    const { from, topic, signal } = parseObject(message) ?? {}
    if (from !== self && isTopic(topic) && isObject(signal)) deliverTopic(topic, signal)
  }

  const deliverTopic = <Topic extends keyof BusEvents>(topic: Topic, signal: Record<string, unknown>): void => {
    const event = READERS[topic](signal)
    if (event) here.publish(topic, event)
  }

  const listen = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        const reading = reader.xread('COUNT', 500, 'BLOCK', WAIT_MS, 'STREAMS', STREAM, position)
        const entries = await withReadTimeout(reader, reading)
        for (const [id, [, message = '']] of entries?.[0]?.[1] ?? []) {
          position = id
          deliver(message)
        }
      } catch {
        await sleep(PAUSE_MS, undefined, { ref: false, signal: closing.signal })
        position = await resumePosition(reader, position)
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
      // While Valkey is away no other replica receives the event, so there is no order to preserve.
      append({ topic, signal }).catch(() => here.publish(topic, signal))
    },
    subscribe: here.subscribe,
    close () {
      closing.abort()
      reader.disconnect()
    }
  }
}

const withReadTimeout = async <T>(reader: Redis, reading: Promise<T>): Promise<T> => {
  const timer = setTimeout(() => { reader.disconnect(true) }, WAIT_MS + TIMEOUT_MS).unref()
  return await reading.finally(() => clearTimeout(timer))
}

const newestEntry = async (reader: Redis): Promise<string> => {
  const [entry] = await reader.xrevrange(STREAM, '+', '-', 'COUNT', 1)
  return entry?.[0] ?? '0-0'
}

/** Where to continue. A stream that ends before `position` was emptied and begun anew: read it from the start. */
const resumePosition = async (reader: Redis, position: string): Promise<string> => {
  const end = await newestEntry(reader).catch(() => position)
  return isBefore(end, position) ? '0-0' : position
}

const isBefore = (one: string, other: string): boolean => {
  const [oneMs = 0, oneNumber = 0] = one.split('-').map(Number)
  const [otherMs = 0, otherNumber = 0] = other.split('-').map(Number)
  return oneMs === otherMs ? oneNumber < otherNumber : oneMs < otherMs
}

const isTopic = (name: unknown): name is keyof BusEvents => typeof name === 'string' && Object.hasOwn(READERS, name)
const isText = (value: unknown): value is string => typeof value === 'string'
const isId = (value: unknown): value is Id => isText(value) || typeof value === 'number'

// Entries come from other replicas, which may run another version: an event of an unknown shape is skipped.
const READERS: { [Topic in keyof BusEvents]: (signal: Record<string, unknown>) => BusEvents[Topic] | undefined } = {
  cancelled: ({ session, id }) => isText(session) && isId(id) ? { session, id } : undefined,
  clientResponded ({ session, response }) {
    const { id, result, error } = isObject(response) ? response : {}
    return isText(session) && isId(id) ? { session, response: { kind: 'response', id, result, error } } : undefined
  },
  streamClaimed: ({ stream, by }) => isText(stream) && isText(by) ? { stream, by } : undefined,
  task: ({ id }) => isText(id) ? { id } : undefined,
  streamAppended: ({ stream }) => isText(stream) ? { stream } : undefined
}
