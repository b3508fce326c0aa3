/** A row of the audit log, and the port that writes it. */
import type { Principal } from '../lib/principal.js'

/** One row for an audit log: a call of a method, or a request that was refused before its method ran. */
export interface AuditEntry<P extends Principal = Principal> {
  /** Undefined when no one was authenticated. */
  principal: P | undefined
  /** The JSON-RPC method; `refused` for a request that was refused before its method ran. */
  method: string
  /** A tool's name, a URI or a task's id; of a refusal, why the credential or which limit. */
  target: string | undefined
  /** The kind of the fault, or `ok`, `error` (`isError: true`), `left_out` (what a subscription does not cover). */
  outcome: string
  durationMs: number
  requestId: string
  remoteAddress: string
  /** What the client declares about itself; of a refusal, the User-Agent header as `name`. */
  client: { name?: string, version?: string } | undefined
  /** What handlers added by `setAuditField`. */
  fields: Readonly<Record<string, string>>
}

/** The port of an audit log. */
export interface AuditSink<P extends Principal = Principal> {
  /** Resolves when the row is committed: the reply waits for it. Rejects when it cannot be; the request then fails. */
  record (entry: AuditEntry<P>): Promise<void>
  /** Takes the row of a request that was refused before its method ran. The reply does not wait, so it may sum up. */
  recordDenial? (entry: AuditEntry<P>): void
}
