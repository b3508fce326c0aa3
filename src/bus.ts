/** What the parts of a server tell each other, and its replicas each other. Whoever is not there at the moment misses it. */
import { EventEmitter } from 'node:events'
import type { Id, Response } from './rpc/message.js'

export interface Signals {
  /** A legacy client takes a request of its session back. */
  cancelled: { session: string, id: Id }
  /** A legacy client answers something that it was asked. */
  answered: { session: string, response: Response }
  /** A session has a new stream to listen on, or a client came back for a stream: the connection that had it before ends. */
  taken: { stream: string, by: string }
  /** Something was done to a task, or by it. */
  task: { id: string }
}

export interface Bus {
  publish<Topic extends keyof Signals> (topic: Topic, signal: Signals[Topic]): void
  /** Gives what ends the subscription. */
  subscribe<Topic extends keyof Signals> (topic: Topic, listener: (signal: Signals[Topic]) => void): () => void
}

/** For a server that is one process. */
export const localBus = (): Bus => {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    publish: (topic, signal) => { emitter.emit(topic, signal) },
    subscribe (topic, listener) {
      emitter.on(topic, listener)
      return () => { emitter.off(topic, listener) }
    }
  }
}
