/** Rejects requests while the event loop is overloaded, because further work would delay all requests. */
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { Fault } from '../lib/errors.js'

const SAMPLE_MS = 500
/**
 * Requests that begin in a second however late the loop is. So few do not overload a server: the machine is slow, or
 * the process has just started, and a refusal would help no one.
 */
const MIN_PER_SECOND = 20

/**
 * Registers load shedding: while the mean event loop delay exceeds `delayMs` milliseconds, the first 20 requests of a
 * second are served, and further ones fail with the `Fault` `unavailable`. 0 turns it off.
 */
export const shedLoad = async (app: FastifyInstance, delayMs: number): Promise<void> => {
  let secondBegan = -Infinity
  let begun = 0
  await app.register(underPressure, {
    maxEventLoopDelay: delayMs,
    sampleInterval: SAMPLE_MS,
    pressureHandler: async () => {
      const now = performance.now()
      if (now - secondBegan >= 1000) {
        secondBegan = now
        begun = 0
      }
      begun++
      if (begun <= MIN_PER_SECOND) return
      throw new Fault(
        'unavailable', 'The server has too much to do. Try again in a moment.', { retry_after_seconds: 1 })
    }
  })
}
