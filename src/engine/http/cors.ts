/** CORS headers. They are set after the check of the origin, so every origin that arrives here is allowed. */
import type { FastifyReply, FastifyRequest } from 'fastify'

const READABLE =
  'Mcp-Session-Id, WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, Credential-Expires, Mcp-Header-Mismatch'

/**
 * Sets the headers, and replies 204 to a preflight, which carries no credential.
 * https://fetch.spec.whatwg.org/#cors-preflight-request
 * @returns true for a preflight: the reply is already sent
 */
export const allowPage = ({ method, headers }: FastifyRequest, reply: FastifyReply): boolean => {
  const { origin } = headers
  if (origin === undefined) return false
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', READABLE)
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false
  reply.code(204).headers({
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
    'access-control-max-age': '600',
    vary: 'Origin, Access-Control-Request-Headers'
  }).send()
  return true
}
