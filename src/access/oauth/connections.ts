/** The port to lists of connections: the applications that people connected by OAuth. */
import type { Scope } from '../../lib/principal.js'
import type { ClientKind } from './oauth-clients.js'

export interface ConnectionEntry {
  id: string
  client: { id: string, name: string, host: string | null, kind: ClientKind }
  user: { id: string, email: string, name: string }
  scope: Scope
  /** Null: every workspace that the user sees. */
  workspace_ids: string[] | null
  resource: string
  created_at: string
  last_used_at: string | null
  last_used_from: string | null
  expires_at: string | null
  calls_30d: number
  /** Refresh tokens that are not used yet: several where processes of the application, or a thief, refresh apart. */
  token_lines: number
}

export interface ConnectionFilter {
  /** A user's id or e-mail address; everybody's when absent. */
  user?: string | undefined
  /** The id of a connection: what the list has after it. */
  after?: string | undefined
  limit: number
}

export interface Connections {
  /** Those that work, newest first. */
  list (filter: ConnectionFilter): Promise<ConnectionEntry[]>
  /** One that works; undefined for another id. */
  find (id: string): Promise<ConnectionEntry | undefined>
  /** Changes what one that works may do, and returns it; undefined for another id. */
  setScope (id: string, scope: Scope): Promise<Scope | undefined>
}
