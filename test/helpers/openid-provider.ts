/**
 * An OpenID provider in this process, whose people sign in without typing. Its ID tokens are signed anew on their way out, so that a test
 * can change their claims, their key or the clock.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { generateKeyPairSync, randomUUID, sign, type JsonWebKey, type KeyObject } from 'node:crypto'
import Provider, { type Context } from 'oidc-provider'
import type { Test } from 'tap'
import { CookieJar } from './cookie-jar.js'
import { listeningPort } from './listening-port.js'

export const CLIENT = { id: 'exploration', secret: 'a secret that the provider gave' }

export interface Person { email?: string, email_verified?: unknown, name?: string, groups?: unknown }

export type OpenIdProvider = Awaited<ReturnType<typeof openIdProvider>>

interface Key { kid: string, privateKey: KeyObject, jwk: JsonWebKey }

// Each takes some tenths of a second to find: providers have the same two, in turn.
const keyPairs: Array<ReturnType<typeof newKeyPair>> = []
const newKeyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The next key of a provider, under another name each time. */
const keyAt = (place: number): Key => {
  const { privateKey, publicKey } = keyPairs[place % 2] ??= newKeyPair()
  const kid = randomUUID()
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } }
}

export interface ClientAddresses { redirectUri: string, signedOutUri: string }

/** `addresses` is asked for at the first request: a server that listens on a free port knows its own only then. */
export const openIdProvider = async (t: Test, addresses: ClientAddresses | (() => ClientAddresses)) => {
  let handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  const server = createServer((request, response) => (handle ??= createHandler())(request, response))
  const issuer = `http://localhost:${await listeningPort(t, server)}`
  let keys = 0
  const newKey = () => keyAt(keys++)
  const own = newKey()
  // The provider itself knows this key only: it takes the ID token of a sign-out while no other key signs.
  let current = own
  let published = [current]

  const resigned = (idToken: string): string => {
    const claims: Record<string, unknown> = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
    const input = [{ alg: 'RS256', kid: current.kid }, self.changeClaims(claims)]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return `${input}.${sign('sha256', Buffer.from(input), current.privateKey).toString('base64url')}`
  }

  const createHandler = (): NonNullable<typeof handle> => {
    const { redirectUri, signedOutUri } = typeof addresses === 'function' ? addresses() : addresses
    const provider = new Provider(issuer, {
      clients: [{
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [signedOutUri],
        token_endpoint_auth_method: 'client_secret_basic'
      }],
      jwks: { keys: [{ ...own.privateKey.export({ format: 'jwk' }), kid: own.kid, alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['a key of the tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: ['openid', 'email', 'profile', 'groups'],
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...self.people.get(sub) }) }),
      async loadExistingGrant ({ oidc: { client: { clientId }, session: { accountId }, provider: { Grant } } }: Context) {
        const grant = new Grant({ clientId, accountId })
        grant.addOIDCScope('openid email profile groups')
        await grant.save()
        return grant
      }
    })

    const callback = provider.callback()
    const fail = (error: unknown): void => { t.fail(`the provider failed: ${String(error)}`) }
    return (request, response) => {
      const { pathname } = new URL(request.url ?? '/', issuer)
      self.requests.push(`${request.method} ${pathname}`)
      if (!self.isUp) {
        request.socket.destroy()
      } else if (pathname === '/jwks') {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ keys: published.map(({ jwk }) => jwk) }))
      } else if (pathname.startsWith('/interaction/')) {
        provider.interactionFinished(request, response, { login: { accountId: self.subject } }).catch(fail)
      } else {
        if (pathname === '/token') {
          const end = response.end.bind(response)
          response.end = ((chunk: unknown) => {
            const body = JSON.parse(String(chunk))
            const changed = JSON.stringify(body.id_token ? { ...body, id_token: resigned(body.id_token) } : body)
            response.setHeader('content-length', Buffer.byteLength(changed))
            return end(changed)
          }) as typeof response.end
        }
        callback(request, response).catch(fail)
      }
    }
  }

  const self = {
    issuer,
    /** Claims by subject. */
    people: new Map<string, Person>(),
    /** Who is signed in at the provider, whatever the browser is. */
    subject: '',
    /** Changes the claims of the next ID tokens. */
    changeClaims: (claims: Record<string, unknown>) => claims,
    /** Signs with a new key from now on; the old one is gone, or stays published. */
    rotateKey (keepOld = false) {
      current = newKey()
      published = keepOld ? [...published, current] : [current]
    },
    /** Signs with a key that is not published. */
    forge () { current = { ...newKey(), kid: current.kid } },
    /** While false, nothing answers. */
    isUp: true,
    /** What was asked for, as method and path. */
    requests: [] as string[],
    /** Follows the provider's redirects from its authorization page; resolves with the address that leads back. */
    async signIn (authorizationUrl: string, jar = new CookieJar()) {
      let url = new URL(authorizationUrl)
      for (let hops = 0; hops < 10; hops++) {
        const reply = await fetch(url, { redirect: 'manual', headers: { cookie: jar.header(url) } })
        jar.store(url, reply.headers.getSetCookie())
        const location = reply.headers.get('location')
        if (location === null) throw new Error(`${url.pathname} answered ${reply.status}: ${(await reply.text()).slice(0, 300)}`)
        url = new URL(location, url)
        if (url.origin !== issuer) return url
      }
      throw new Error('the provider leads round in circles')
    }
  }
  return self
}
