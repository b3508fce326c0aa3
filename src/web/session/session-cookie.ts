/**
 * The session's cookie. Under https its name has the prefix `__Host-`, so that no other host of the domain can set it.
 * That prefix allows no path: a server below a path of PUBLIC_URL has `__Secure-` and its path, so that the cookie is
 * not sent to what else the host has. Browsers share cookies between the ports of a host, so that under plain http the
 * name has the port.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.js'
import { publicPathOf } from '../../http/public-path.js'
import { pagesUrlOf } from '../../http/server-address.js'

const LIFETIME_SECONDS = 30 * 86_400

export interface SessionCookie {
  /** The value that the browser sent, unverified. */
  read (request: FastifyRequest): string | undefined
  write (reply: FastifyReply, secret: string): void
  clear (reply: FastifyReply): void
}

/** Creates the reader and writer of the cookie of this server. */
export const createSessionCookie = (app: FastifyInstance, config: Config): SessionCookie => {
  const basePath = publicPathOf(config)
  const nameAndSecure = (): { name: string, secure: boolean } => {
    const { protocol, port } = new URL(pagesUrlOf(app, config))
    return protocol === 'https:'
      ? { name: `${basePath === '' ? '__Host' : '__Secure'}-exploration_session`, secure: true }
      : { name: `exploration_session_${port || '80'}`, secure: false }
  }
  const attributes = { path: basePath === '' ? '/' : basePath, httpOnly: true, sameSite: 'lax' as const }

  return {
    read: ({ cookies }) => cookies[nameAndSecure().name],
    write (reply, secret) {
      const { name, secure } = nameAndSecure()
      reply.setCookie(name, secret, { ...attributes, secure, maxAge: LIFETIME_SECONDS })
    },
    clear (reply) {
      const { name, secure } = nameAndSecure()
      reply.clearCookie(name, { ...attributes, secure })
    }
  }
}
