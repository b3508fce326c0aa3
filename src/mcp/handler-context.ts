/** What a method is handed of a request that its era has let in. */
import type { Call, CallSession, Client } from './request-context.js'
import type { Principal } from '../lib/principal.js'
import type { Request } from './jsonrpc/message.js'
import type { Exchange, Opened } from './eras/era.js'
import type { Stop } from './cancellation.js'

export class OpenCall implements Call {
  readonly principal: Principal
  readonly revision: string
  readonly client: Client
  readonly messageId: string | number
  readonly requestId: string
  readonly session: CallSession | undefined
  readonly stop: Stop
  readonly notes: Record<string, string>

  constructor (
    { id }: Request, { revision, client, session }: Opened, { principal, requestId }: Exchange, stop: Stop, notes: Record<string, string>
  ) {
    this.principal = principal
    this.revision = revision
    this.client = client
    this.messageId = id
    this.requestId = requestId
    this.session = session
    this.stop = stop
    this.notes = notes
  }

  get signal (): AbortSignal {
    return this.stop.signal
  }

  note (key: string, value: string): void {
    this.notes[key] = value
  }
}
