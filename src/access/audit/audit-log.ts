/** The port of the audit log: who did what, with which credential, to which record, with what outcome. Append-only. */
import type { CredentialKind } from '../../lib/principal.js'

export interface AuditEvent {
  /** A UUID for events that may arrive twice: the log stores one. */
  event_id?: string | undefined
  /** Absent when the caller is unknown. */
  user_id?: string | undefined
  credential_id?: string | undefined
  credential_kind?: CredentialKind | undefined
  /**
   * The method, and the tool's name or the URI: `tools/call get_exploration`; `credential/created` and the like;
   * `refused …`.
   */
  action: string
  workspace_id?: string | undefined
  exploration_id?: string | undefined
  /** `ok`, `error` (a result with `isError`), or the kind of the fault. */
  outcome: string
  duration_ms: number
  request_id: string
  /** Declared by the client, not verified: `name/version`. */
  client?: string | undefined
  remote_address: string
  /** Who changed a credential, as declared by the caller. */
  actor?: string | undefined
  /** The gateway that reported the event, unverified; absent when this server handled the request itself. */
  reported_by?: string | undefined
  /** How many equal events this one represents; one when absent. */
  count?: number | undefined
}

export type AuditRecord = AuditEvent & { id: string, at: string }

export type AuditPosition = Pick<AuditRecord, 'at' | 'id'>

export interface AuditFilter {
  /** A user's id or e-mail address. */
  user?: string | undefined
  /** A credential's id or name. */
  credential?: string | undefined
  /** A workspace's id or slug. */
  workspace?: string | undefined
  /** A prefix of the action. */
  action?: string | undefined
  outcome?: string | undefined
  /** RFC 3339, inclusive. */
  since?: string | undefined
  /** RFC 3339, exclusive. */
  until?: string | undefined
  /** Ids of users: only their events. */
  users?: readonly string[] | undefined
  /** The position of an event: only what the list shows after it. */
  before?: AuditPosition | undefined
  limit: number
}

export interface AuditLog {
  /** Resolves once the event is committed; events that arrive together share one statement. */
  record (event: AuditEvent): Promise<void>
  /** Most recent first. */
  list (filter: AuditFilter): Promise<AuditRecord[]>
  all (filter: Omit<AuditFilter, 'limit'>): AsyncGenerator<AuditRecord[], void, unknown>
  /**
   * Deletes the events that are older than so many days, from 90 days on only those of months (UTC) that are as old as
   * a whole; resolves with how many it deleted. A month that is being read is left to the next call.
   */
  purge (days: number): Promise<number>
  /** Makes the partitions of this month and the next; resolves with how many it made. */
  createPartitions (): Promise<number>
  /** Resolves when all recorded events are committed. */
  flush (): Promise<void>
}
