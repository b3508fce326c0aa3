/** The reply to one HTTP request, before it is written to a socket. */
import { neededScopeOf, type Fault } from '../lib/errors.js'
import type { LazyAbortController } from './cancellation.js'
import type { Era, Events } from './eras/era.js'
import { faultReply } from './eras/faults.js'
import { errorResponse, type Id } from './jsonrpc/message.js'

export type EngineReply =
  /** Only a status: for a notification, a response, or a request that was cancelled. */
  | { kind: 'accepted' }
  | {
    kind: 'whole'
    status: number
    headers?: Record<string, string> | undefined
    body: string | Buffer
    /** What the request needs, where the scope of its credential is too small. */
    neededScope?: string | undefined
  }
  /** A stream of nothing but the result, which is there already. */
  | { kind: 'event', headers?: Record<string, string> | undefined, data: string }
  | { kind: 'stream', headers?: Record<string, string> | undefined, events: Events, cancellation: LazyAbortController }

export const faultReplyFor = (fault: Fault, era: Pick<Era, 'name'>, id: Id | undefined): EngineReply => {
  const { status, headers, error } = faultReply(fault, era.name)
  return { kind: 'whole', status, headers, body: errorResponse(id, error), neededScope: neededScopeOf(fault) }
}
