/** The bus of several replicas, over Valkey's publish and subscribe. What is said here is heard here at once, and by the others soon. */
import { randomUUID } from 'node:crypto'
import { localBus, type Bus, type Signals } from '../bus.js'
import { isObject } from '../rpc/parse.js'
import type { Valkey } from './valkey.js'

const CHANNEL = 'exploration-mcp:bus'
const TOPICS: Record<keyof Signals, true> = { cancelled: true, answered: true, taken: true, task: true }

export const valkeyBus = (valkey: Valkey): Bus => {
  const here = localBus()
  const self = randomUUID()

  valkey.hear(CHANNEL, (message) => {
    const { from, topic, signal } = read(message)
    if (from !== self && isTopic(topic) && isObject(signal)) here.publish(topic, signal as unknown as Signals[typeof topic])
  })

  return {
    publish (topic, signal) {
      here.publish(topic, signal)
      // Whoever cannot be reached misses it, as whoever is not there.
      valkey.commands.publish(CHANNEL, JSON.stringify({ from: self, topic, signal })).catch(() => {})
    },
    subscribe: here.subscribe
  }
}

const isTopic = (name: unknown): name is keyof Signals => typeof name === 'string' && Object.hasOwn(TOPICS, name)

const read = (message: string): { from?: unknown, topic?: unknown, signal?: unknown } => {
  try {
    const value: unknown = JSON.parse(message)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
