/** OAuth clients: those that registered themselves or were registered, and documents of the others. */
import type { FromSchema } from 'json-schema-to-ts'
import type oauth from '#schemas/operations/oauth.json'

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

export interface NewClient extends Pick<OAuthClient, 'name' | 'redirectUris' | 'refreshable' | 'confidential'> {
  kind: Exclude<ClientKind, 'document'>
  uri?: string | undefined
  /** Who registered it, for lists. */
  by?: string | undefined
}

export type ClientSummary = FromSchema<typeof oauth.oauthClient>
