/** What the audit log is told of a request: once, where its method asks for that, before the answer leaves. Then who watches is told. */
import { targetOf, type Entry } from '../methods/index.js'
import type { Principal } from '../principal.js'
import type { Request } from '../rpc/message.js'
import type { Exchange, Opened } from './era.js'
import type { Watched } from './watch.js'

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

  const tell = async (outcome: string, opened: Opened | undefined): Promise<void> => {
    if (!entry?.audited || told) return
    told = true
    const target = targetOf(entry, request.params)
    await record({
      principal: exchange.principal,
      method: request.method,
      target: typeof target === 'string' ? target : undefined,
      outcome,
      durationMs: performance.now() - started,
      requestId: exchange.requestId,
      remoteAddress: exchange.remoteAddress,
      client: opened?.client,
      notes
    })
  }

  return {
    notes,
    async done (outcome: string, opened: Opened | undefined): Promise<void> {
      await tell(outcome, opened)
      if (over) return
      over = true
      watched?.ended(outcome, opened)
    }
  }
}
