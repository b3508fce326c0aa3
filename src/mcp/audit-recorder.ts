/**
 * What the audit log is told of a request: once, where its method asks for that or it is forbidden, before the answer leaves. Then who
 * watches is told.
 */
import { targetsOf, type Entry } from './methods/index.js'
import type { Principal } from '../lib/principal.js'
import type { Request } from './jsonrpc/message.js'
import { isObject } from './jsonrpc/parse.js'
import type { Exchange, Opened } from './eras/era.js'
import type { Watched } from './instrumentation.js'

export interface Deed {
  principal: Principal
  method: string
  target: string | undefined
  /** `ok`, `error` for a result that says so, or the kind of the fault. */
  outcome: string
  durationMs: number
  requestId: string
  remoteAddress: string
  client: { name?: string, version?: string } | undefined
  notes: Readonly<Record<string, string>>
}

/** Resolves once the deed is on record. */
export type RecordDeed = (deed: Deed) => Promise<void>

export const recorder = (
  record: RecordDeed, entry: Entry | undefined, request: Request, exchange: Exchange, watched: Watched | undefined
) => {
  const notes: Record<string, string> = {}
  const started = performance.now()
  let told = false
  let over = false

  /** `granted` are those of the targets that a subscription is for, a row each; else all are of one row. */
  const tell = async (outcome: string, opened: Opened | undefined, granted?: readonly unknown[]): Promise<void> => {
    if (told || !(entry?.audited || outcome === 'forbidden')) return
    told = true
    const targets = entry ? targetsOf(entry, request.params) : []
    const one = (target: string | undefined, outcome: string, notes: Deed['notes']): Promise<void> => record({
      principal: exchange.principal,
      method: request.method,
      target,
      outcome,
      durationMs: performance.now() - started,
      requestId: exchange.requestId,
      remoteAddress: exchange.remoteAddress,
      client: opened?.client,
      notes
    })
    if (granted === undefined || targets.length === 0) await one(targets.join(' ') || undefined, outcome, notes)
    else await Promise.all(targets.map((target) => one(target, granted.includes(target) ? outcome : 'left_out', {})))
  }

  return {
    notes,
    /** A subscription is on record from when it begins: nobody knows when it ends. */
    async begun (acknowledged: unknown, opened: Opened): Promise<void> {
      if (!entry?.streams) return
      const granted = isObject(acknowledged) ? acknowledged['resourceSubscriptions'] : undefined
      await tell('ok', opened, Array.isArray(granted) ? granted : [])
    },
    async done (outcome: string, opened: Opened | undefined): Promise<void> {
      await tell(outcome, opened)
      if (over) return
      over = true
      watched?.ended(outcome, opened)
    }
  }
}
