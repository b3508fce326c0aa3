/** Publish and subscribe between replicas, without replay: a subscriber that is not connected misses the event. */
import { EventEmitter } from 'node:events'
import type { Id, Response } from './jsonrpc/message.js'

/** The events between the replicas of a server, by topic. All of them are JSON. */
export interface BusEvents {
  /** A legacy client cancelled a request of its session. */
  cancelled: { session: string, id: Id }
  /** A legacy client answered a request of the server. */
  clientResponded: { session: string, response: Response }
  /** A connection (`by`) took over a stream. The connection that had the stream before ends. */
  streamClaimed: { stream: string, by: string }
  /** A task changed, or a client sent something to it. */
  task: { id: string }
  /** A message was appended to the stream of a legacy call. */
  streamAppended: { stream: string }
}

/** The port of publish and subscribe. Each event reaches the subscribers of all replicas, the publisher's included. */
export interface EventBus {
  /** Sends an event to all subscribers. It may get lost when a replica is not connected. */
  publish<Topic extends keyof BusEvents> (topic: Topic, signal: BusEvents[Topic]): void
  /** The same, in one order for all replicas, the publisher included. */
  publishOrdered<Topic extends keyof BusEvents> (topic: Topic, signal: BusEvents[Topic]): void
  /** For an event that must not get lost. Rejects with the `Fault` `unavailable` when replicas cannot be reached. */
  publishReliably<Topic extends keyof BusEvents> (topic: Topic, signal: BusEvents[Topic]): Promise<void>
  /** Returns the function that ends the subscription. */
  subscribe<Topic extends keyof BusEvents> (topic: Topic, listener: (signal: BusEvents[Topic]) => void): () => void
}

/** Creates the bus of a server that is one process. Subscribers are called synchronously. */
export const memoryEventBus = (): EventBus => {
  const emitter = new EventEmitter().setMaxListeners(0)
  const publish: EventBus['publish'] = (topic, signal) => { emitter.emit(topic, signal) }
  return {
    publish,
    publishOrdered: publish,
    publishReliably: async (topic, signal) => publish(topic, signal),
    subscribe (topic, listener) {
      emitter.on(topic, listener)
      return () => { emitter.off(topic, listener) }
    }
  }
}
