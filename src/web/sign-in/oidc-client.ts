/**
 * Talks to the OpenID provider: authorization code with PKCE, state and nonce; the ID token's signature is verified.
 * The library is loaded and the provider asked at the first sign-in, so that the server starts without it.
 */
import type { Configuration, ServerMetadata } from 'openid-client'
import type { OidcSettings } from './oidc-settings.js'

const TIMEOUT_SECONDS = 10
const METADATA_LIFETIME_MS = 3_600_000

/** What a sign-in has to bring back, kept by the browser meanwhile. */
export interface OidcRoundTrip { verifier: string, state: string, nonce: string }

export type OidcClaims = Awaited<ReturnType<ReturnType<typeof createOidcClient>['finish']>>

const MAX_GROUPS = 10_000

export const createOidcClient = ({ issuer, clientId, clientSecret, scopes, groups }: OidcSettings) => {
  let cache: { metadata: Promise<ServerMetadata>, until: number } | undefined

  const discover = async (): Promise<ServerMetadata> => {
    const { allowInsecureRequests, discovery } = await library()
    const discovered = await discovery(issuer, clientId, undefined, undefined, {
      timeout: TIMEOUT_SECONDS, ...(isHttp(issuer) && { execute: [allowInsecureRequests] })
    })
    return discovered.serverMetadata()
  }

  /** One for each sign-in, on shared metadata: so its keys are those that the provider has now. */
  const configuration = async (): Promise<Configuration> => {
    const {
      allowInsecureRequests, ClientSecretBasic, ClientSecretPost, Configuration, enableNonRepudiationChecks, None
    } = await library()
    if (!cache || cache.until <= Date.now()) {
      const metadata = discover()
      metadata.catch(() => { cache = undefined })
      cache = { metadata, until: Date.now() + METADATA_LIFETIME_MS }
    }
    const metadata = await cache.metadata
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authentication = clientSecret === undefined
      ? None()
      : methods.includes('client_secret_basic') ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret)
    const configuration = new Configuration(metadata, clientId, undefined, authentication)
    configuration.timeout = TIMEOUT_SECONDS
    enableNonRepudiationChecks(configuration)
    if (isHttp(issuer)) allowInsecureRequests(configuration)
    return configuration
  }

  return {
    async start (redirectUri: string): Promise<{ url: URL, roundTrip: OidcRoundTrip }> {
      const client = await library()
      const config = await configuration()
      const roundTrip = {
        verifier: client.randomPKCECodeVerifier(), state: client.randomState(), nonce: client.randomNonce()
      }
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        code_challenge: await client.calculatePKCECodeChallenge(roundTrip.verifier),
        code_challenge_method: 'S256',
        state: roundTrip.state,
        nonce: roundTrip.nonce
      })
      return { url, roundTrip }
    },

    /** Exchanges the code and verifies everything; throws an error of the library for whatever is wrong. */
    async finish (callback: URL, { verifier, state, nonce }: OidcRoundTrip) {
      const client = await library()
      const config = await configuration()
      const tokens = await client.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true
      })
      const idClaims = tokens.claims()
      if (!idClaims || tokens.id_token === undefined) throw new Error('the provider sent no ID token')
      const isMailComplete = idClaims['email'] !== undefined && idClaims['email_verified'] !== undefined
      const isComplete = isMailComplete && (groups === undefined || idClaims[groups.claim] !== undefined)
      const more: Record<string, unknown> = isComplete || config.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await client.fetchUserInfo(config, tokens.access_token, idClaims.sub)
      const claims: Record<string, unknown> = { ...more, ...idClaims }
      // An address is verified by whatever says it, not by what says another.
      const mail = isMailComplete ? idClaims : more
      return {
        issuer: idClaims.iss,
        subject: idClaims.sub,
        email: textOf(mail['email']),
        isEmailVerified: isTrue(mail['email_verified']),
        name: textOf(claims['name']) ?? textOf(claims['preferred_username']),
        /** Of the claim that OIDC_GROUPS_FILE names; undefined where the provider sent none. */
        groups: groups && listOf(claims[groups.claim]),
        idToken: tokens.id_token
      }
    },

    /** The address at which people sign out there; undefined where the provider has none. */
    async signOutUrl (idToken: string, returnTo: string): Promise<URL | undefined> {
      const { buildEndSessionUrl } = await library()
      const config = await configuration()
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined
      return buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: returnTo })
    }
  }
}

const library = () => import('openid-client')

const isHttp = ({ protocol }: URL): boolean => protocol === 'http:'

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

// Some providers write it as a text.
const isTrue = (value: unknown): boolean => value === true || value === 'true'

const listOf = (value: unknown): string[] | undefined => {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').slice(0, MAX_GROUPS) : undefined
}
