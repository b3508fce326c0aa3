/** The audit log: who did what, with which credential, to which record, and how it ended. Append-only. */
import type { CredentialKind } from '../lib/principal.js'

export interface AuditEvent {
  /** A UUID, of events that may come again: kept once. */
  event_id?: string | undefined
  /** Absent where the caller is not known. */
  user_id?: string | undefined
  credential_id?: string | undefined
  credential_kind?: CredentialKind | undefined
  /** The method, and the tool's name or the URI: `tools/call get_exploration`; `credential/created` and the like; `refused …`. */
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
  /** Who did it to a credential, as declared. */
  actor?: string | undefined
  /** The front that reported it, which this server could not check; absent where this server was asked itself. */
  reported_by?: string | undefined
  /** How many alike it stands for; one when absent. */
  count?: number | undefined
}

export type AuditRecord = AuditEvent & { id: string, at: string }

export interface AuditFilter {
  /** A user's id or e-mail address. */
  user?: string | undefined
  /** A credential's id or name. */
  credential?: string | undefined
  /** A workspace's id or slug. */
  workspace?: string | undefined
  /** How the action begins. */
  action?: string | undefined
  outcome?: string | undefined
  /** RFC 3339; from then on. */
  since?: string | undefined
  /** RFC 3339; before then. */
  until?: string | undefined
  limit: number
}

export interface AuditLog {
  /** Resolves once the event is committed; events that arrive together share one statement. */
  record (event: AuditEvent): Promise<void>
  /** Most recent first. */
  list (filter: AuditFilter): Promise<AuditRecord[]>
  /** The same without a limit, read page by page. */
  all (filter: Omit<AuditFilter, 'limit'>): AsyncGenerator<AuditRecord[], void, unknown>
  /** Lets go of what is older than so many days; answers how many events went. */
  purge (days: number): Promise<number>
  /** Resolves when everything that was handed over is committed. */
  flush (): Promise<void>
}
