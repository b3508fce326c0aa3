/** Unknown addresses: a browser sees the application, which says so; programs get JSON. The status is 404 for both. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../http/problem.js'
import { sendShell } from './page-routes.js'
import type { Shell } from './shell.js'

/** Addresses of programs, whatever they accept: clients look for OAuth metadata below `/.well-known/`. */
const PROGRAMS = /^\/(?:\.well-known|api|mcp|web)(?:[/?]|$)/

/** Whether the client would rather have HTML than JSON. */
const prefersHtml = (accept: string | undefined): boolean => {
  const qualityOf = (type: string): number => {
    const part = (accept ?? '').toLowerCase().split(',').map((text) => text.trim()).find((text) =>
      text.split(';')[0]?.trim() === type)
    if (part === undefined) return 0
    return Number(/;\s*q=([\d.]+)/.exec(part)?.[1] ?? 1)
  }
  return qualityOf('text/html') > qualityOf('application/json')
}

/** Creates Fastify's handler of unknown addresses. */
export const unknownPage = (shell: Shell) => (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const readable = request.method === 'GET' || request.method === 'HEAD'
  if (!readable || PROGRAMS.test(request.url) || !prefersHtml(request.headers.accept)) return notFound(request, reply)
  return sendShell(request, reply.code(404), shell)
}
