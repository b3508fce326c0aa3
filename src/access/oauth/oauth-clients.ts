/** The port to OAuth clients: those that registered themselves or were registered, and documents of the others. */

/**
 * How a client is known. `document`: its id is the address of a document about it, so that the address's host vouches
 * for it. `registered`: it registered itself, and no one vouches. `preregistered`: an operator registered it.
 */
export type ClientKind = 'document' | 'registered' | 'preregistered'

export interface OAuthClient {
  id: string
  kind: ClientKind
  /** As the client calls itself, or the operator called it. */
  name: string
  /** The client's page about itself. */
  uri: string | null
  /** The host of the client's document; null for the other kinds. */
  host: string | null
  redirectUris: readonly string[]
  /** Whether it asked for refresh tokens. */
  refreshable: boolean
  /** Whether it has a secret. */
  confidential: boolean
}

export interface NewClient {
  kind: Exclude<ClientKind, 'document'>
  name: string
  uri?: string | undefined
  redirectUris: readonly string[]
  refreshable: boolean
  /** Whether it gets a secret. */
  confidential: boolean
  /** Who registered it, for lists. */
  by?: string | undefined
}

/** What is created: the secret is returned this once. */
export interface CreatedClient { id: string, secret: string | undefined, created_at: string }

/** A registered client in lists. */
export interface ClientSummary {
  id: string
  kind: Exclude<ClientKind, 'document'>
  name: string
  redirect_uris: string[]
  confidential: boolean
  created_at: string
  created_by: string | null
  last_used_at: string | null
  revoked_at: string | null
  /** Connections that work now. */
  connections: number
}

/** A stored document of a client, as it was served. */
export interface StoredDocument { document: unknown, fresh: boolean }

export interface OAuthClients {
  /** Registers a client; undefined when there are `max` of its kind already. */
  create (client: NewClient, max?: number): Promise<CreatedClient | undefined>
  /** A registered client that is not revoked; undefined for an unknown id. */
  find (id: string): Promise<OAuthClient | undefined>
  /** Whether the secret is this client's. */
  hasSecret (id: string, secret: string): Promise<boolean>
  /** Those that work, or of one kind; newest first, 1,000 at most. */
  list (kind?: NewClient['kind']): Promise<ClientSummary[]>
  /**
   * Revokes a client and all its connections, at once. Revoking twice is no error.
   * @throws {Refusal} `not_found` for an unknown id
   */
  revoke (id: string, by?: string): Promise<ClientSummary>
  findDocument (clientId: string): Promise<StoredDocument | undefined>
  /** Stores a valid document instead of the one before. */
  saveDocument (clientId: string, document: unknown, freshSeconds: number): Promise<void>
}
