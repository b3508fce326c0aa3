/** Publish and subscribe inside a server and between replicas. There is no replay: a subscriber that is not connected misses the event. */
import { EventEmitter } from 'node:events'
import type { Id, Response } from './jsonrpc/message.js'

export interface BusEvents {
  /** A legacy client takes a request of its session back. */
  cancelled: { session: string, id: Id }
  /** A legacy client answers something that it was asked. */
  clientResponded: { session: string, response: Response }
  /** A session has a new stream to listen on, or a client came back for a stream: the connection that had it before ends. */
  streamClaimed: { stream: string, by: string }
  /** Something was done to a task, or by it. */
  task: { id: string }
  /** Something was said on the stream of a legacy call. */
  streamAppended: { stream: string }
}

export interface EventBus {
  publish<Topic extends keyof BusEvents> (topic: Topic, signal: BusEvents[Topic]): void
  /** The same for what has an order: all hear such signals in the same one, also who said them. */
  publishOrdered<Topic extends keyof BusEvents> (topic: Topic, signal: BusEvents[Topic]): void
  /** The same for what must not get lost: rejects with the fault `unavailable` when the other replicas cannot be told. */
  publishReliably<Topic extends keyof BusEvents> (topic: Topic, signal: BusEvents[Topic]): Promise<void>
  /** Gives what ends the subscription. */
  subscribe<Topic extends keyof BusEvents> (topic: Topic, listener: (signal: BusEvents[Topic]) => void): () => void
}

/** For a server that is one process. */
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
