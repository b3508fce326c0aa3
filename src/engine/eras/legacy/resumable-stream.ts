/**
 * A call's stream that outlives its connection: each message goes to the event store under an id before it is sent,
 * and a client that reconnects with the last id it saw gets the rest. 2025-11-25
 * basic/transports#resumability-and-redelivery
 */
import type { EventBus } from '../../event-bus.js'
import type { Events, Frame, ServerEvent } from '../era.js'
import type { LazyAbortController } from '../../cancellation.js'
import { eventId, newStream } from './event-id.js'
import type { EventStore } from './event-store.js'

interface ResumableStreamDeps {
  eventStore: EventStore
  bus: EventBus
  session: string
  /** The caller whose share of the event store the stream uses. */
  holder: string | undefined
  /** Whether the revision has events without data, which only give the client an id to reconnect with. */
  primed: boolean
  cancellation: LazyAbortController
  /** The error response that the client gets when this server dies before the end. */
  ifLost: string
}

const DETACHED_TIMEOUT_MS = 300_000

const DONE = { done: true as const, value: undefined }

/**
 * Turns the frames of a call into stored events. When the connection ends or another one takes the stream over, the
 * frames are still stored, for at most 5 minutes; then the request is cancelled.
 */
export const resumableStream = (
  frames: AsyncGenerator<Frame, void, void>,
  { eventStore, bus, session, holder, primed, cancellation, ifLost }: ResumableStreamDeps
): Events => {
  const stream = newStream('call')
  // 2025-06-18 basic/transports#sending-messages-to-the-server: no stream is closed before its response
  const sent = primed ? frames : messagesOf(frames)
  const opening = eventStore.open(stream, session, ifLost, holder)
  let attached = true
  let primingSent = !primed
  let last: Promise<Exclude<ServerEvent, string> | undefined> = opening.then(() => undefined)

  /** Stores the next frame and returns its event; undefined at the end. */
  const advance = (): typeof last => {
    last = last.then(async () => {
      const { done, value } = await sent.next()
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
      if (!attached) return DONE
      if (!primingSent) {
        primingSent = true
        await opening
        return { value: { id: eventId(stream, 0), data: '' } }
      }
      const event = await advance()
      // Another connection took the stream over. It reads this event from the store.
      if (!attached) return DONE
      if (event === undefined) {
        attached = false
        unsubscribe()
        return DONE
      }
      // 2025-11-25 basic/transports#sending-messages-to-the-server: the stream continues without its connection
      if (event.data === undefined) detach()
      return { value: event }
    },
    return: async () => detach()
  }
}

async function * messagesOf (frames: AsyncGenerator<Frame, void, void>): AsyncGenerator<string, void, void> {
  for await (const frame of frames) if (typeof frame === 'string') yield frame
}
