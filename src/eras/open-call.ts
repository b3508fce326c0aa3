/** What a method is handed of a request that its era has let in. */
import type { Call } from '../call.js'
import type { Exchange, Opened } from './era.js'

/** The signal is made only when it is read: most work is over before anyone could take it back. */
export const openCall = ({ revision, client }: Opened, exchange: Exchange, notes: Record<string, string>): Call => {
  let controller: AbortController | undefined
  return {
    principal: exchange.principal,
    revision,
    client,
    requestId: exchange.requestId,
    get signal () {
      if (!controller) {
        const made = controller = new AbortController()
        exchange.whenGone(() => made.abort())
      }
      return controller.signal
    },
    note (key, value) {
      notes[key] = value
    }
  }
}
