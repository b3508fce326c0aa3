/** One request on its way through an era. */
import { Fault } from '../lib/errors.js'
import type { Entry } from './methods/index.js'
import type { Catalogue, MethodResult } from './methods/method.js'
import type { Request } from './jsonrpc/message.js'
import type { recorder, RecordDeed } from './audit-recorder.js'
import type { Era, Exchange, Opened } from './eras/era.js'
import type { Stop } from './cancellation.js'
import type { Watch } from './instrumentation.js'

export interface Conversation {
  eras: Readonly<Record<Era['name'], Era>>
  methods: ReadonlyMap<string, Entry>
  catalogue: Catalogue
  /** The answer waits for it. */
  record: RecordDeed
  /** Told once of whatever is not the client's doing. */
  unexpected (error: unknown, where: Pick<Exchange, 'requestId' | 'about'>): void
  /** Told of each message and how it ended. */
  watch?: Watch | undefined
}

export interface Turn {
  conversation: Conversation
  era: Era
  request: Request
  /** The method that it asks for, if there is one. */
  entry: Entry | undefined
  exchange: Exchange
  record: ReturnType<typeof recorder>
  stop: Stop
  opened: Opened | undefined
  /** Whether the work goes on when the caller goes. */
  kept: boolean
}

export const outcomeOf = ({ result }: MethodResult): string => result['isError'] === true ? 'error' : 'ok'

export const toFault = ({ unexpected }: Conversation, error: unknown, exchange: Exchange): Fault => {
  if (error instanceof Fault && error.kind !== 'unavailable') return error
  if (!(error instanceof Fault) || error.cause !== undefined) unexpected(error, exchange)
  if (error instanceof Fault) return error
  const { requestId } = exchange
  return new Fault('internal_error', `Something went wrong on the server. Tell its operator this request id: ${requestId}.`, { request_id: requestId })
}
