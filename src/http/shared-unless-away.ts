/** Does a thing with what the replicas share; while that is away, does it alone, says so once, and tries again every second. */
import type { FastifyBaseLogger } from 'fastify'

const TRY_EVERY_MS = 1000

export const sharedUnlessAway = (log: FastifyBaseLogger) => {
  let tryAt = 0
  let away = false

  return async <T>(shared: () => Promise<T>, alone: () => Promise<T>): Promise<T> => {
    if (performance.now() < tryAt) return alone()
    try {
      const done = await shared()
      if (away) log.info('Valkey is back: the replicas count limits together again')
      away = false
      return done
    } catch (error) {
      tryAt = performance.now() + TRY_EVERY_MS
      if (!away) log.warn({ err: error }, 'Valkey is away: this replica counts limits for itself')
      away = true
      return alone()
    }
  }
}
