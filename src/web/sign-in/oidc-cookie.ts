/** The cookie that keeps a sign-in at the provider together: signed, for ten minutes, sent to /auth/oidc only. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseObject } from '../../lib/json-object.js'
import { createTextSigner } from '../../lib/signed-text.js'
import type { OidcRoundTrip } from './oidc-client.js'

const LIFETIME_SECONDS = 600

export interface OidcState extends OidcRoundTrip {
  /** The local path that the person wanted to see. */
  returnTo: string
}

export interface OidcCookie {
  write (reply: FastifyReply, base: string, state: OidcState): void
  /** Reads the cookie and removes it from the browser; undefined when it is absent, forged or too old. */
  take (request: FastifyRequest, reply: FastifyReply, base: string): OidcState | undefined
}

/** @param now milliseconds since the epoch */
export const createOidcCookie = (secrets: readonly string[], now: () => number = Date.now): OidcCookie => {
  const signer = createTextSigner('oidc round trip', secrets)

  return {
    write (reply, base, state) {
      const { name, options } = cookieAt(base)
      reply.setCookie(name, signer.sign(JSON.stringify({ ...state, expires: now() + LIFETIME_SECONDS * 1000 })), {
        ...options, maxAge: LIFETIME_SECONDS
      })
    },

    take (request, reply, base) {
      const { name, options } = cookieAt(base)
      const value = request.cookies[name]
      if (value === undefined) return undefined
      reply.clearCookie(name, options)
      const { verifier, state, nonce, returnTo, expires } = parseObject(signer.open(value) ?? '') ?? {}
      if (typeof expires !== 'number' || expires <= now()) return undefined
      const texts = [verifier, state, nonce, returnTo].filter((text) => typeof text === 'string')
      const [first, second, third, fourth] = texts
      if (first === undefined || second === undefined || third === undefined || fourth === undefined) return undefined
      return { verifier: first, state: second, nonce: third, returnTo: fourth }
    }
  }
}

/** Lax: the provider's page leads back here by a navigation, with which a strict cookie would not come. */
const cookieAt = (base: string) => {
  const { protocol, pathname, port } = new URL(base)
  const secure = protocol === 'https:'
  return {
    name: secure ? '__Secure-exploration_oidc' : `exploration_oidc_${port || '80'}`,
    options: { path: `${pathname.replace(/\/$/, '')}/auth/oidc`, httpOnly: true, sameSite: 'lax' as const, secure }
  }
}
