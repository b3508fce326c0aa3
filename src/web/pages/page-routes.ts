/** Serves the pages of the web application: their shell and their assets, from memory. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.js'
import { publicPathOf } from '../../http/public-path.js'
import { hasRight, PAGE_PATHS, signInPath, type PagePath } from '../page-paths.js'
import type { WebPerson } from '../../administration/permission.js'
import { readTheme } from '../theme-cookie.js'
import { localhostAddress } from './localhost-address.js'
import { PAGE_HEADERS } from './page-headers.js'
import { sendAsset } from './send-asset.js'
import type { Pages } from './pages.js'
import type { Shell } from './shell.js'

export interface PageDeps {
  config: Pick<Config, 'publicUrl'>
  pages: Pages
  /** Who is signed in; null for no one. */
  personOf: (request: FastifyRequest) => Pick<WebPerson, 'serverAdmin' | 'memberships'> | null
}

const FOR_EVER = 'public, max-age=31536000, immutable'

/** Sends the shell with the headers of pages; `no-cache`, because a new version of the server has another one. */
export const sendShell = (
  request: FastifyRequest, reply: FastifyReply, shell: Shell, page?: typeof PAGE_PATHS[number]['name']
): FastifyReply => {
  reply.headers(PAGE_HEADERS).header('cache-control', 'no-cache').header('vary', 'Cookie')
  return sendAsset(request, reply, shell.of(page, readTheme(request.headers.cookie)))
}

/**
 * Adds one route for each page and each asset to a scope that knows who is signed in. A page that needs a session leads
 * people without one to the sign-in page, and from there back. People who lack the right that a page needs get 403, and
 * the shell says whom to ask. A page by an address of loopback leads to localhost.
 */
export const pageRoutes = (
  app: FastifyInstance, { config, pages: { app: built, shell }, personOf }: PageDeps
): void => {
  const basePath = publicPathOf(config)
  for (const page of PAGE_PATHS) {
    const { path, public: isPublic = false, right }: PagePath = page
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const local = config.publicUrl === undefined ? localhostAddress(request) : undefined
      if (local !== undefined) return reply.header('cache-control', 'no-store').redirect(local, 307)
      const person = personOf(request)
      if (!isPublic && !person) {
        return reply.header('cache-control', 'no-store').redirect(basePath + signInPath(request.url), 302)
      }
      if (person && !hasRight(right, person.serverAdmin, person.memberships)) {
        return sendShell(request, reply.code(403), shell)
      }
      return sendShell(request, reply, shell, page.name)
    })
  }
  for (const [file, asset] of built.assets) {
    app.get(`/${file}`, { schema: { hide: true }, config: { session: false } }, async (request, reply) => {
      reply.headers(PAGE_HEADERS).header('cache-control', file.startsWith('assets/') ? FOR_EVER : 'no-cache')
      return sendAsset(request, reply, asset)
    })
  }
}
