/**
 * The newest connection owns a stream, and the one before it ends: 2025-11-25
 * basic/transports#multiple-connections. All replicas receive the claims in one order, so that of several at the
 * same moment each replica keeps the same one: the last.
 */
import type { EventBus } from '../../event-bus.js'

/** Calls `lost` when another connection takes the stream over, or when the stream ends. */
export const onTakeover = (bus: EventBus, stream: string, by: string, lost: () => void): (() => void) => {
  let isClaimed = false
  return bus.subscribe('streamClaimed', (taken) => {
    if (taken.stream !== stream) return
    if (taken.by === by) isClaimed = true
    else if (isClaimed || taken.by === END) lost()
  })
}

/** Claims a stream for the connection `by`. The connection that had it before ends. */
export const claimStream = (bus: EventBus, stream: string, by: string): void =>
  bus.publishOrdered('streamClaimed', { stream, by })

/** The claimant when the session has ended and no connection takes the stream over. */
const END = 'the end of the session'

/** Ends the stream's connection without a new owner, because its session has ended. */
export const releaseStream = (bus: EventBus, stream: string): void => bus.publish('streamClaimed', { stream, by: END })
