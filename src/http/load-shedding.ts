/** Refuses requests before the process suffers: while its event loop is late, new ones would only make all of them later. */
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { Fault } from '../lib/errors.js'

const SAMPLE_MS = 500
/** No shedding during the first 3 s: start-up itself delays the loop. */
const WARM_UP_MS = 3000

/** `delayMs` is what the event loop may be late on average; 0 refuses nothing. */
export const shedLoad = async (app: FastifyInstance, delayMs: number): Promise<void> => {
  const begun = performance.now()
  await app.register(underPressure, {
    maxEventLoopDelay: delayMs,
    sampleInterval: SAMPLE_MS,
    pressureHandler: async () => {
      if (performance.now() - begun < WARM_UP_MS) return
      throw new Fault('unavailable', 'The server has too much to do. Try again in a moment.', { retry_after_seconds: 1 })
    }
  })
}
