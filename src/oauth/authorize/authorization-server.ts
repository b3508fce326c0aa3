/** The authorization endpoint and the decision of the person, as operations: routes and sessions are the caller's. */
import type { Scope } from '../../lib/principal.js'
import type { OAuthClient } from '../../access/oauth/oauth-clients.js'
import type { OAuthGrants } from '../../access/oauth/oauth-grants.js'
import { hostOfRedirect, isLoopbackRedirect, matchRedirectUri } from '../../access/oauth/redirect-uri.js'
import { AuthorizationError, responseAddress } from './authorization-error.js'
import { readParameters, readRequest } from './read-request.js'
import { createTickets, type ConsentTicket, type ErrorTicket } from './tickets.js'

export interface AuthorizationServerDeps {
  findClient: (clientId: string) => Promise<OAuthClient>
  grants: Pick<OAuthGrants, 'createCode'>
  issuer: () => string
  /** The addresses that tokens are issued for; the first is this server's own. */
  resources: () => readonly string[]
  /** Sign tickets: with the first, and all are accepted. The same on every replica. */
  secrets: readonly string[]
  /** Seconds that a connection lasts without use, with and without refresh tokens. */
  lifetimes: { refreshable: number, fixed: number }
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
}

export interface SignedInPerson {
  sessionId: string
  user: { id: string, email: string }
}

/** What the client may see, null for every workspace that the person sees, also later; and whether it may write. */
export interface ConsentGrant { workspaceIds: readonly string[] | null, write: boolean }

type Destination =
  { page: 'consent', ticket: string } | { page: 'error', code: string, ticket: string } | { redirectTo: string }

/** Its operations but `authorize` throw a `Refusal` for a ticket that is not of the session. */
export type AuthorizationServer = ReturnType<typeof createAuthorizationServer>

const MAX_QUERY_LENGTH = 4000
const DAY_SECONDS = 86_400

/** Creates the operations. Nothing is stored before someone allows something: signed tickets carry what was checked. */
export const createAuthorizationServer = (
  { findClient, grants, issuer, resources, secrets, lifetimes, now }: AuthorizationServerDeps
) => {
  const consents = createTickets<ConsentTicket>('consent', secrets, now)
  const errors = createTickets<ErrorTicket>('consent error', secrets, now)

  const answer = (redirectUri: string, query: URLSearchParams, fields: Readonly<Record<string, string>>): string => {
    const [state, ...others] = query.getAll('state')
    return responseAddress(redirectUri, fields, others.length > 0 || state === '' ? undefined : state, issuer())
  }

  return {
    /** Where a request leads: to the consent page, to its error page, or with an error to a client that is trusted. */
    async authorize (text: string, sessionId: string): Promise<Destination> {
      const query = new URLSearchParams(text)
      const refuse = ({ code, message }: AuthorizationError, redirectTo: string | null) =>
        ({ page: 'error' as const, code, ticket: errors.seal(sessionId, { code, description: message, redirectTo }) })
      let target: ResponseTarget | undefined
      try {
        if (text.length > MAX_QUERY_LENGTH) {
          throw new AuthorizationError(
            'invalid_request', `The request is longer than ${MAX_QUERY_LENGTH} characters.`, 'page')
        }
        target = await identify(query, findClient)
        const { client: { id, kind, name, host, uri, refreshable }, redirectUri } = target
        const { challenge, resource, offline, writes } = readRequest(query, resources())
        const client = { id, kind, name, host, uri }
        const ticket = consents.seal(sessionId, {
          query: text, client, redirectUri, challenge, resource, refreshable: refreshable || offline, writes
        })
        return { page: 'consent', ticket }
      } catch (error) {
        if (!(error instanceof AuthorizationError)) throw error
        if (!target || error.audience === 'page') return refuse(error, null)
        const redirectTo = answer(
          target.redirectUri, query, { error: error.code, error_description: error.message })
        // Only an operator's word makes an address trusted: the person is not sent elsewhere by a link alone.
        return target.client.kind === 'preregistered' ? { redirectTo } : refuse(error, redirectTo)
      }
    },

    /** What the consent page shows: `scopes` is granted in any case. All but the host is the client's own word. */
    consentRequest (ticket: string, sessionId: string) {
      const { client, redirectUri, refreshable, writes = false, query } = consents.open(sessionId, ticket)
      const seconds = refreshable ? lifetimes.refreshable : lifetimes.fixed
      return {
        client,
        redirect: targetOf(redirectUri),
        scopes: ['read'] satisfies Scope[],
        writes,
        lifetimeDays: Math.max(1, Math.ceil(seconds / DAY_SECONDS)),
        query
      }
    },

    consentError (ticket: string, sessionId: string) {
      const { code, description, redirectTo } = errors.open(sessionId, ticket)
      return { code, description, redirect: redirectTo === null ? null : { ...targetOf(redirectTo), to: redirectTo } }
    },

    /** Returns the client's address with a code. */
    async allow (ticket: string, { sessionId, user }: SignedInPerson, { workspaceIds, write }: ConsentGrant) {
      const { client, redirectUri, challenge, resource, refreshable, query } = consents.open(sessionId, ticket)
      const code = await grants.createCode({
        userId: user.id,
        client,
        redirectUri,
        challenge,
        resource,
        refreshable,
        workspaceIds,
        scope: write ? 'read_write' : 'read',
        by: user.email
      })
      return answer(redirectUri, new URLSearchParams(query), { code })
    },

    /** Returns the client's address with the denial. */
    deny (ticket: string, sessionId: string) {
      const { redirectUri, query } = consents.open(sessionId, ticket)
      return answer(redirectUri, new URLSearchParams(query),
        { error: 'access_denied', error_description: 'The person did not allow it.' })
    }
  }
}

interface ResponseTarget { client: OAuthClient, redirectUri: string }

/** What has to be right before anything is sent to the client. @throws {AuthorizationError} for the page */
const identify = async (
  query: URLSearchParams, findClient: AuthorizationServerDeps['findClient']
): Promise<ResponseTarget> => {
  const parameter = readParameters(query, 'page')
  const clientId = parameter('client_id')
  if (clientId === undefined) throw new AuthorizationError('invalid_request', 'The request has no client_id.', 'page')
  const client = await findClient(clientId)
  const redirectUri = matchRedirectUri(parameter('redirect_uri'), client.redirectUris)
  if (redirectUri !== undefined) return { client, redirectUri }
  throw new AuthorizationError(
    'invalid_redirect_uri', 'The request wants the answer at an address that the application has not named.', 'page')
}

const targetOf = (redirectUri: string): { host: string, loopback: boolean } =>
  ({ host: hostOfRedirect(redirectUri), loopback: isLoopbackRedirect(redirectUri) })
