/** Serves the pages of the web application: their shell and their assets, also for unknown addresses. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.js'
import { notFound } from '../../http/problem.js'
import { publicPathOf } from '../../http/public-path.js'
import { hasRight, PAGE_PATHS, signInPath, type PageName, type PagePath } from '../page-paths.js'
import { readTheme } from '../theme-cookie.js'
import { localhostAddress } from './localhost-address.js'
import { PAGE_HEADERS } from './page-headers.js'
import { sendAsset } from './send-asset.js'
import type { Pages } from './pages.js'

const FOR_EVER = 'public, max-age=31536000, immutable'

/** Sends the shell with the headers of pages; `no-cache`, because a new version of the server has another one. */
const sendShell = (
  request: FastifyRequest, reply: FastifyReply, { shellOf }: Pages, page?: PageName
): FastifyReply => {
  reply.headers(PAGE_HEADERS).header('cache-control', 'no-cache').header('vary', 'Cookie')
  return sendAsset(request, reply, shellOf(page, readTheme(request.headers.cookie)))
}

/** For a scope that knows who is signed in. Where a right is missing, the shell says whom to ask. */
export const pageRoutes = (app: FastifyInstance, config: Config, pages: Pages): void => {
  const basePath = publicPathOf(config)
  for (const page of PAGE_PATHS) {
    const { path, public: isPublic = false, right }: PagePath = page
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const local = config.publicUrl === undefined ? localhostAddress(request) : undefined
      if (local !== undefined) return reply.header('cache-control', 'no-store').redirect(local, 307)
      const { web: person } = request
      if (!isPublic && !person) {
        return reply.header('cache-control', 'no-store').redirect(basePath + signInPath(request.url), 302)
      }
      if (person && !hasRight(right, person.serverAdmin, person.memberships)) {
        return sendShell(request, reply.code(403), pages)
      }
      return sendShell(request, reply, pages, page.name)
    })
  }
  for (const [file, asset] of pages.assets) {
    app.get(`/${file}`, { schema: { hide: true }, config: { session: false } }, async (request, reply) => {
      reply.headers(PAGE_HEADERS).header('cache-control', file.startsWith('assets/') ? FOR_EVER : 'no-cache')
      return sendAsset(request, reply, asset)
    })
  }
}

/** Addresses of programs, whatever they accept: clients look for OAuth metadata below `/.well-known/`. */
const PROGRAMS = /^\/(?:\.well-known|api|mcp|web)(?:[/?]|$)/

const prefersHtml = (accept: string | undefined): boolean => {
  const qualityOf = (type: string): number => {
    const part = (accept ?? '').toLowerCase().split(',').map((text) => text.trim()).find((text) =>
      text.split(';')[0]?.trim() === type)
    if (part === undefined) return 0
    return Number(/;\s*q=([\d.]+)/.exec(part)?.[1] ?? 1)
  }
  return qualityOf('text/html') > qualityOf('application/json')
}

/** Unknown addresses: a browser sees the application, which says so; programs get JSON; both with 404. */
export const unknownPage = (pages: Pages) => (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const readable = request.method === 'GET' || request.method === 'HEAD'
  if (!readable || PROGRAMS.test(request.url) || !prefersHtml(request.headers.accept)) return notFound(request, reply)
  return sendShell(request, reply.code(404), pages)
}
