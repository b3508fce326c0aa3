/**
 * The newest connection has a stream, the one before it lets go: 2025-11-25 basic/transports#multiple-connections. All hear the claims
 * in one order, so that of several that come at the same moment the same one stays for each: the one whose claim is heard last.
 */
import type { Bus } from '../../event-bus.js'

/** `lost` is called when another connection takes the stream over; gives what ends the listening for that. */
export const listenForTaking = (bus: Bus, stream: string, by: string, lost: () => void): (() => void) => {
  let held = false
  return bus.subscribe('taken', (taken) => {
    if (taken.stream !== stream) return
    if (taken.by === by) held = true
    else if (held || taken.by === END) lost()
  })
}

export const take = (bus: Bus, stream: string, by: string): void => bus.claim('taken', { stream, by })

/** Nobody takes the stream over: its session is over. */
const END = 'the end of the session'

export const endStream = (bus: Bus, stream: string): void => bus.publish('taken', { stream, by: END })
