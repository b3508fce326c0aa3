/** Limits attempts to sign in by address. All ways of signing in share one count, so that none adds to another. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../../lib/errors.js'
import type { WebDeps } from '../web-deps.js'

/** Counts an attempt. Throws a `Fault` `rate_limited` (429, with `Retry-After`) when there were too many. */
export type CountSignIn = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export const signInLimit = ({ config, limits }: WebDeps): CountSignIn => {
  const count = limits('sign-in', config.signInsPerMinute)
  return async (request, reply) => {
    const seconds = await count(request, reply)
    if (seconds === undefined) return
    throw new Fault('rate_limited', `Too many attempts to sign in from this address. Try again in ${seconds} seconds.`)
  }
}
