/** The port of a rate limiter. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authentication, Principal } from '../../lib/principal.js'

/** Counts the messages of callers. It is called before a request without a valid credential is refused. */
export interface RequestLimiter<P extends Principal = Principal> {
  /**
   * Counts messages of a request: 1 when it arrives, and more when its batch or its subscription has more.
   * @throws {Fault} `rate_limited` when a limit is exceeded; put `retry_after_seconds` into its data
   */
  count (request: FastifyRequest, reply: FastifyReply, messages: number, caller: Authentication<P>): Promise<void>
}
