/**
 * The cookie that keeps a sign-in at the provider together: signed, for ten minutes, sent to /auth/oidc only. Browsers
 * drop a cookie of more than 4096 bytes, and the path of an application's authorization request may be as long: the
 * text goes on in a second cookie then.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createTextSigner } from '../../lib/text/signed-text.js'
import type { OidcRoundTrip } from './oidc-client.js'

const LIFETIME_SECONDS = 600
/** Leaves room for the name. */
const MAX_VALUE_LENGTH = 4000

export interface OidcState extends OidcRoundTrip {
  /** The local path that the person wanted to see. */
  returnTo: string
}

/** @param secrets signs with the first, accepts all */
export const createOidcCookie = (secrets: readonly string[]) => {
  const signer = createTextSigner('oidc round trip', secrets)

  return {
    write (reply: FastifyReply, base: string, state: OidcState): void {
      const { names, options } = cookiesAt(base)
      const text = signer.sign(JSON.stringify({ ...state, expires: Date.now() + LIFETIME_SECONDS * 1000 }))
      for (const [index, name] of names.entries()) {
        const part = text.slice(index * MAX_VALUE_LENGTH, (index + 1) * MAX_VALUE_LENGTH)
        if (part !== '') reply.setCookie(name, part, { ...options, maxAge: LIFETIME_SECONDS })
      }
    },

    /** Reads the cookie and removes it from the browser; undefined when it is absent, forged or too old. */
    take (request: FastifyRequest, reply: FastifyReply, base: string): OidcState | undefined {
      const { names, options } = cookiesAt(base)
      const [first, second = ''] = names.map((name) => request.cookies[name])
      if (first === undefined) return undefined
      for (const name of names) reply.clearCookie(name, options)
      // A second cookie beside a short first one is of an earlier attempt.
      const text = first.length < MAX_VALUE_LENGTH ? first : first + second
      // What is signed was written here.
      const { expires, ...state } = JSON.parse(signer.open(text) ?? '{"expires":0}') as OidcState & { expires: number }
      return expires > Date.now() ? state : undefined
    }
  }
}

/** Lax: the provider's page leads back here by a navigation, with which a strict cookie would not come. */
const cookiesAt = (base: string) => {
  const { protocol, pathname, port } = new URL(base)
  const secure = protocol === 'https:'
  const name = secure ? '__Secure-exploration_oidc' : `exploration_oidc_${port || '80'}`
  return {
    names: [name, `${name}_2`],
    options: { path: `${pathname.replace(/\/$/, '')}/auth/oidc`, httpOnly: true, sameSite: 'lax' as const, secure }
  }
}
