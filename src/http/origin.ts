/** DNS rebinding: 2026-07-28 basic/transports/streamable-http#security-endpoint. A page may call only from an allowed origin. */
import type { FastifyRequest } from 'fastify'
import { Fault } from '../lib/errors.js'
import { isLoopbackHost } from '../lib/loopback.js'

export interface OriginRules {
  /** Origins that are allowed, such as `https://app.example`. */
  allowed: readonly string[]
  /** Whether the server listens on loopback, where a foreign `Host` is a rebound name. */
  loopback: boolean
  /** The server's own public URL, when it has one. */
  publicUrl?: string | undefined
}

// RFC 9110 section 7.2, without what no client sends: it goes into addresses that are shown
const HOST = /^(?:\[[0-9a-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i

export const originGuard = ({ allowed, loopback, publicUrl }: OriginRules) => {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl)
  const origins = new Set([...allowed.map((origin) => origin.toLowerCase()), ...(own ? [own.origin] : [])])

  // Callers come by the same name again and again.
  let lastHost: string | undefined

  const isAllowed = (origin: string): boolean =>
    origins.has(origin.toLowerCase()) || (loopback && isLoopbackHost(hostnameOf(origin)))

  const checkHost = (host: string | undefined): void => {
    if (host !== undefined && host !== '' && !HOST.test(host)) throw new Fault('invalid_request', 'The host is no name or address with or without a port.')
    const name = hostnameOf(`http://${host ?? ''}`)
    if (loopback && !isLoopbackHost(name) && name !== own?.hostname) {
      throw new Fault('foreign_origin', 'This server listens on loopback and answers to localhost only. Behind a proxy set PUBLIC_URL.')
    }
  }

  return {
    isAllowed,

    check ({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): void {
      const { origin, host } = headers
      if (origin !== undefined && !isAllowed(origin)) {
        throw new Fault('foreign_origin', 'Requests from this origin are not allowed. Its operator can allow it with ALLOWED_ORIGINS.')
      }
      // RFC 9112 section 3.2.2: the host of an absolute request target counts, whatever Host says
      const target = raw.url === undefined || raw.url.startsWith('/') ? undefined : /^https?:\/\/([^/?#]*)/i.exec(raw.url)?.[1]
      if (target !== undefined) checkHost(target)
      if (host === lastHost) return
      checkHost(host)
      lastHost = host
    }
  }
}

const hostnameOf = (origin: string): string => URL.canParse(origin) ? new URL(origin).hostname : ''
