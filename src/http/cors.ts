/** Lets pages of allowed origins read the answers. Comes after the origin check, so that whoever gets here is allowed. */
import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const READABLE = ['mcp-session-id', 'www-authenticate', 'retry-after', 'ratelimit', 'ratelimit-policy']

export const allowPages = async (app: FastifyInstance): Promise<void> => {
  await app.register(cors, {
    delegator: ({ method, headers }: FastifyRequest, callback: (error: Error | null, options: FastifyCorsOptions) => void) => {
      callback(null, {
        origin: headers.origin ?? false,
        methods: ['POST', 'DELETE'],
        exposedHeaders: READABLE,
        maxAge: 600,
        // A preflight carries no credential: it is answered before one is asked for.
        preflight: method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers
      })
    }
  })
}
