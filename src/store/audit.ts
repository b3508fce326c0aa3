/** The audit log: who did what, with which credential, to which record, and how it ended. Append-only. */
import type { CredentialKind } from '../principal.js'

export interface AuditEvent {
  user_id: string
  credential_id: string
  credential_kind: CredentialKind
  /** The method, and the tool's name or the URI: `tools/call get_exploration`. */
  action: string
  workspace_id?: string | undefined
  exploration_id?: string | undefined
  /** `ok`, `error` (a result that says so), or the kind of the fault. */
  outcome: string
  duration_ms: number
  request_id: string
  /** Declared by the client, not verified: `name/version`. */
  client?: string | undefined
  remote_address: string
}

export type AuditRecord = AuditEvent & { id: string, at: string }

export interface AuditFilter {
  /** A user's id or e-mail address. */
  user?: string | undefined
  /** RFC 3339. */
  since?: string | undefined
  limit: number
}

export interface AuditLog {
  /** Resolves once the event is committed; events that arrive together share one statement. */
  record (event: AuditEvent): Promise<void>
  /** Most recent first. */
  list (filter: AuditFilter): Promise<AuditRecord[]>
  /** Resolves when everything that was handed over is committed. */
  flush (): Promise<void>
}
