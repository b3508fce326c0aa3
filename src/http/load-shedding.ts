/** Rejects requests while the event loop is overloaded, because further work would delay all requests. */
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { Fault } from '../lib/errors.js'

const SAMPLE_MS = 500
/** No shedding during the first 3 s: start-up itself delays the loop. */
const WARM_UP_MS = 3000

/**
 * Registers load shedding: a request fails with the `Fault` `unavailable` while the mean event loop delay exceeds
 * `delayMs` milliseconds. 0 turns it off.
 */
export const shedLoad = async (app: FastifyInstance, delayMs: number): Promise<void> => {
  const begun = performance.now()
  await app.register(underPressure, {
    maxEventLoopDelay: delayMs,
    sampleInterval: SAMPLE_MS,
    pressureHandler: async () => {
      if (performance.now() - begun < WARM_UP_MS) return
      throw new Fault(
        'unavailable', 'The server has too much to do. Try again in a moment.', { retry_after_seconds: 1 })
    }
  })
}
