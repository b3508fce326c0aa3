/** What a method is handed of a request that its era has let in. */
import type { Call } from '../call.js'
import type { Exchange, Opened } from './era.js'
import type { Stop } from './stop.js'

export const openCall = (
  { revision, client, session }: Opened, { principal, requestId }: Exchange, stop: Stop, notes: Record<string, string>
): Call => ({
  principal,
  revision,
  client,
  requestId,
  ...(session && { session }),
  get signal () {
    return stop.signal
  },
  note (key, value) {
    notes[key] = value
  }
})
