/**
 * The newest connection has a stream, the one before it lets go: 2025-11-25 basic/transports#multiple-connections. All hear the claims
 * in one order, so that of several that come at the same moment the same one stays for each: the one whose claim is heard last.
 */
import type { EventBus } from '../../event-bus.js'

/** `lost` is called when another connection takes the stream over; gives what ends the listening for that. */
export const onTakeover = (bus: EventBus, stream: string, by: string, lost: () => void): (() => void) => {
  let isClaimed = false
  return bus.subscribe('streamClaimed', (taken) => {
    if (taken.stream !== stream) return
    if (taken.by === by) isClaimed = true
    else if (isClaimed || taken.by === END) lost()
  })
}

export const claimStream = (bus: EventBus, stream: string, by: string): void =>
  bus.publishOrdered('streamClaimed', { stream, by })

/** Nobody takes the stream over: its session is over. */
const END = 'the end of the session'

export const releaseStream = (bus: EventBus, stream: string): void => bus.publish('streamClaimed', { stream, by: END })
