/**
 * Everything that is not served answers JSON, under `/.well-known/` too: no OAuth metadata is advertised, since clients
 * would drop the bearer credential that they were given for it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

export const notFound = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.code(404).type('application/json').send({
    error: 'not_found', message: 'There is nothing here. The MCP endpoint is POST /mcp.'
  })
