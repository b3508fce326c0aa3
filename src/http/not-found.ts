/**
 * Replies 404 with JSON to every unknown path, under `/.well-known/` too. The server advertises no OAuth metadata here,
 * because clients that find it drop the bearer credential that they have.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Fastify's handler for unknown routes: 404 `{error, message}`. */
export const notFound = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.code(404).type('application/json').send({
    error: 'not_found', message: 'There is nothing here. The MCP endpoint is POST /mcp.'
  })
