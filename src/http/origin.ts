/**
 * Protects against DNS rebinding: a page may call only from an allowed origin.
 * 2026-07-28 basic/transports/streamable-http#security-endpoint
 */
import type { FastifyRequest } from 'fastify'
import { Fault } from '../lib/errors.js'
import { isLoopbackHost } from '../lib/loopback.js'

export interface OriginRules {
  /** Origins that are allowed, such as `https://app.example`. */
  allowed: readonly string[]
  /** Whether the server listens on loopback: a `Host` that is not a loopback name is then rebound. */
  loopback: boolean
  /** The server's own public URL, when it has one. */
  publicUrl?: string | undefined
}

// RFC 9110 section 7.2, reduced to what clients send, because the host becomes part of URLs that the server shows.
const HOST = /^(?:\[[0-9a-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i

/**
 * Creates the check of `Origin` and `Host`. `check` throws a `Fault`: `foreign_origin` for an origin or host that is
 * not allowed, `invalid_request` for a malformed host.
 */
export const originGuard = ({ allowed, loopback, publicUrl }: OriginRules) => {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl)
  const origins = new Set([...allowed.map((origin) => origin.toLowerCase()), ...(own ? [own.origin] : [])])

  // Most requests name the same host, so the last accepted one is not checked again.
  let lastHost: string | undefined

  const isAllowed = (origin: string): boolean =>
    origins.has(origin.toLowerCase()) || (loopback && isLoopbackHost(hostnameOf(origin)))

  const checkHost = (host: string | undefined): void => {
    if (host !== undefined && host !== '' && !HOST.test(host)) {
      throw new Fault('invalid_request', 'The host is no name or address with or without a port.')
    }
    const name = hostnameOf(`http://${host ?? ''}`)
    if (loopback && !isLoopbackHost(name) && name !== own?.hostname) {
      throw new Fault('foreign_origin',
        'This server listens on loopback and answers to localhost only. Behind a proxy set PUBLIC_URL.')
    }
  }

  return {
    isAllowed,

    check ({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): void {
      const { origin, host } = headers
      if (origin !== undefined && !isAllowed(origin)) {
        throw new Fault('foreign_origin',
          'Requests from this origin are not allowed. Its operator can allow it with ALLOWED_ORIGINS.')
      }
      // RFC 9112 section 3.2.2: the host of an absolute request target takes precedence over Host
      const { url = '/' } = raw
      const target = url.startsWith('/') ? undefined : /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]
      if (target !== undefined) checkHost(target)
      if (host === lastHost) return
      checkHost(host)
      lastHost = host
    }
  }
}

const hostnameOf = (origin: string): string => URL.canParse(origin) ? new URL(origin).hostname : ''
