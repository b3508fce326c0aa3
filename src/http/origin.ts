/** DNS rebinding: 2026-07-28 basic/transports/streamable-http#security-endpoint. A page may call only from an allowed origin. */
import type { FastifyRequest } from 'fastify'
import { Fault } from '../errors.js'

export interface OriginRules {
  /** Origins that are allowed, such as `https://app.example`. */
  allowed: readonly string[]
  /** Whether the server listens on loopback, where a foreign `Host` is a rebound name. */
  loopback: boolean
  /** The server's own public URL, when it has one. */
  publicUrl?: string | undefined
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

export const originGuard = ({ allowed, loopback, publicUrl }: OriginRules) => {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl)
  const origins = new Set([...allowed.map((origin) => origin.toLowerCase()), ...(own ? [own.origin] : [])])

  // Callers come by the same name again and again.
  let lastHost: string | undefined

  const isAllowed = (origin: string): boolean =>
    origins.has(origin.toLowerCase()) || (loopback && LOOPBACK.has(hostnameOf(origin)))

  return {
    isAllowed,

    check ({ headers }: FastifyRequest): void {
      const { origin, host } = headers
      if (origin !== undefined && !isAllowed(origin)) {
        throw new Fault('foreign_origin', 'Requests from this origin are not allowed. Its operator can allow it with ALLOWED_ORIGINS.')
      }
      if (host === lastHost) return
      const name = hostnameOf(`http://${host ?? ''}`)
      if (!loopback || LOOPBACK.has(name) || name === own?.hostname) lastHost = host
      else {
        throw new Fault('foreign_origin', 'This server listens on loopback and answers to localhost only. Behind a proxy set PUBLIC_URL.')
      }
    }
  }
}

export const isLoopback = (host: string): boolean => ['127.0.0.1', '::1', 'localhost'].includes(host)

const hostnameOf = (origin: string): string => URL.canParse(origin) ? new URL(origin).hostname : ''
