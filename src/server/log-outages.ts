/** Logs when what a server depends on goes away, and when it is back. */
import type { FastifyBaseLogger } from 'fastify'
import type { ServerDeps } from './dependencies.js'

/** Follows Valkey and the platform from now on. */
export const logOutages = (
  { valkey, platform }: Pick<ServerDeps, 'valkey' | 'platform'>, log: FastifyBaseLogger
): void => {
  valkey?.watch((reason) => {
    if (reason === undefined) log.info('Valkey is back: the replicas count limits together again')
    else log.warn({ err: reason }, 'Valkey is away: this replica counts limits for itself')
  })

  platform?.watch((reason) => {
    if (reason === undefined) log.info('the platform is back')
    else log.warn({ err: reason }, 'the platform is away: calls are refused until it is back')
  }, ({ id, without }) => { log.warn(`the platform does not offer ${id}: ${without}`) })
}
