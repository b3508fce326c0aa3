/**
 * Protects against DNS rebinding: a page may call only from an allowed origin.
 * 2026-07-28 basic/transports/streamable-http#security-endpoint
 */
import type { FastifyRequest } from 'fastify'
import { Fault } from '../errors.js'
import { isLoopbackHost } from './loopback.js'

/** Which pages may call, and under which host names the server is reached. */
export interface OriginRules {
  /** Origins that are allowed, such as `https://app.example`. */
  allowed: readonly string[]
  /** Whether the server listens on loopback: a `Host` that is not a loopback name is then rebound. */
  loopback: boolean
  /** The server's own public URL, when it has one. */
  publicUrl?: string | undefined
  /** Further host names that the server answers to. */
  hosts?: readonly string[] | undefined
  /** Names the settings that messages refer to; ALLOWED_ORIGINS and PUBLIC_URL by default. */
  settings?: { allowedOrigins: string, publicUrl: string } | undefined
}

/** Refuses requests of foreign pages, and requests for a host name that is not this server's. */
export interface OriginGuard {
  /** Whether pages of this origin may call. */
  isAllowed (origin: string): boolean
  /** @throws {Fault} `foreign_origin` for an `Origin` or `Host` that is not allowed, `invalid_request` if malformed */
  check (request: Pick<FastifyRequest, 'headers' | 'raw'>): void
}

const SETTINGS = { allowedOrigins: 'ALLOWED_ORIGINS', publicUrl: 'PUBLIC_URL' }

// RFC 9110 section 7.2, reduced to what clients send, because the host becomes part of URLs that the server shows.
const HOST = /^(?:\[[0-9a-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i

/** Creates the guard. Its `check` throws a `Fault`: `foreign_origin` or, for a malformed host, `invalid_request`. */
export const originGuard = (
  { allowed, loopback, publicUrl, hosts = [], settings = SETTINGS }: OriginRules
): OriginGuard => {
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
    if (loopback && !isLoopbackHost(name) && name !== own?.hostname && !hosts.includes(name)) {
      throw new Fault('foreign_origin',
        `This server listens on loopback and answers to localhost only. Behind a proxy set ${settings.publicUrl}.`)
    }
  }

  return {
    isAllowed,

    check ({ headers, raw }) {
      const { origin, host } = headers
      if (origin !== undefined && !isAllowed(origin)) {
        throw new Fault('foreign_origin',
          `Requests from this origin are not allowed. Its operator can allow it with ${settings.allowedOrigins}.`)
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
