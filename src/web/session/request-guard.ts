/**
 * Protects the web application against requests that another site makes a browser send. An unsafe method needs the
 * server's own Origin and a header that a form cannot set; SameSite cookies are the third line.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../../lib/errors.js'
import type { WebDeps } from '../web-deps.js'

const GUARD_HEADER = 'x-exploration-mcp'
const GUARD_VALUE = 'web'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Throws a `Fault`: `foreign_origin` (403), or `invalid_request` (400) for a malformed host. */
export const guardRequests = (app: FastifyInstance, { config: { publicUrl }, origin }: WebDeps): void => {
  app.addHook('onRequest', async (request) => {
    origin.check(request)
    if (SAFE.has(request.method)) return
    const own = ownOrigin(request, publicUrl)
    if (request.headers.origin?.toLowerCase() !== own) {
      throw new Fault('foreign_origin', `Changes are only taken from the pages of this server: open ${own}.`)
    }
    if (request.headers[GUARD_HEADER] !== GUARD_VALUE) {
      throw new Fault('foreign_origin', `Send the header ${GUARD_HEADER}: ${GUARD_VALUE} with each change.`)
    }
  })
}

/** Returns the origin of the server's pages: that of PUBLIC_URL, otherwise the one that the request came to. */
export const ownOrigin = ({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string =>
  new URL(publicUrl ?? `${protocol}://${host}`).origin
