/**
 * A call's stream that outlives its connection: each message goes to the event log under an id before it is sent, and a
 * client that comes back with the last id it saw gets the rest. 2025-11-25 basic/transports#resumability-and-redelivery
 */
import type { EventBus } from '../../event-bus.js'
import type { Events, Frame, ServerEvent } from '../era.js'
import type { LazyAbortController } from '../../cancellation.js'
import { eventId, newStream } from './event-id.js'
import type { EventStore } from './event-store.js'

export interface ResumableStreamDeps {
  eventStore: EventStore
  bus: EventBus
  session: string
  /** Whose share of the log the stream takes. */
  holder: string | undefined
  /** Whether the client knows events without data, that only give it an id to come back with. */
  primed: boolean
  cancellation: LazyAbortController
  /** The reply of a request whose server is gone. */
  ifLost: string
}

/** How long work goes on for a client that has gone. */
const DETACHED_TIMEOUT_MS = 300_000

export const resumableStream = (
  frames: AsyncGenerator<Frame, void, void>,
  { eventStore, bus, session, holder, primed, cancellation, ifLost }: ResumableStreamDeps
): Events => {
  const stream = newStream('call')
  const opening = eventStore.open(stream, session, ifLost, holder)
  let attached = true
  let primingSent = !primed
  let last: Promise<ServerEvent | undefined> = opening.then(() => undefined)

  /** The next event, in the log first; undefined at the end. */
  const advance = (): Promise<ServerEvent | undefined> => {
    last = last.then(async () => {
      const { done, value } = await frames.next()
      if (done) {
        await eventStore.end(stream)
        return undefined
      }
      if (typeof value !== 'string') return { retry: value.retryMs }
      return { id: eventId(stream, await eventStore.append(stream, value)), data: value }
    })
    return last
  }

  const continueDetached = async (): Promise<void> => {
    const timeout = setTimeout(() => cancellation.abort(), DETACHED_TIMEOUT_MS).unref()
    try {
      while (await advance() !== undefined);
    } finally {
      clearTimeout(timeout)
    }
  }

  const detach = (): void => {
    if (!attached) return
    attached = false
    unsubscribe()
    continueDetached().catch(() => {})
  }
  const unsubscribe = bus.subscribe('streamClaimed', (claimed) => {
    if (claimed.stream === stream) detach()
  })

  return {
    async next () {
      if (!attached) return { done: true, value: undefined }
      if (!primingSent) {
        primingSent = true
        await opening
        return { value: { id: eventId(stream, 0), data: '' } }
      }
      const event = await advance()
      // Taken over meanwhile: the event is in the log, for the connection that has the stream now.
      if (!attached) return { done: true, value: undefined }
      if (event === undefined) {
        attached = false
        unsubscribe()
        return { done: true, value: undefined }
      }
      // 2025-11-25 basic/transports#sending-messages-to-the-server: the stream goes on without its connection
      if (typeof event !== 'string' && event.data === undefined) detach()
      return { value: event }
    },
    async return () {
      detach()
    }
  }
}
