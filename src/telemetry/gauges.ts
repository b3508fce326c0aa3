/** Gauges of the server's state, read at each scrape. */
import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import type { Telemetry } from './telemetry.js'

export interface GaugeSources {
  streams: { readonly size: number }
  draining: () => boolean
  /** Absent with the embedded database. */
  databaseConnections?: (() => { inUse: number, idle: number, waiting: number }) | undefined
  /** Absent without Valkey. */
  valkey?: { readonly away: boolean } | undefined
  searchIndex?: { state (): Promise<{ explorations: number, pending: number }> } | undefined
}

/** Registers the gauges of `state` and of the HTTP connections of `app`. */
export const gauges = ({ gauge }: Pick<Telemetry, 'gauge'>, app: FastifyInstance, state: GaugeSources): void => {
  const { streams, draining, databaseConnections, valkey, searchIndex } = state
  gauge('open_streams', 'Streams of server-sent events that are open.', () => streams.size)
  gauge('draining', '1 once the server was asked to stop.', () => Number(draining()))
  gauge('http_connections', 'Connections of clients.', promisify(app.server.getConnections.bind(app.server)))
  if (databaseConnections) {
    gauge('database_connections', 'Connections to PostgreSQL by state; "waiting" is work that waits for one.', () => {
      const { inUse, idle, waiting } = databaseConnections()
      return { in_use: inUse, idle, waiting }
    }, 'state')
  }
  if (valkey) {
    gauge('valkey_away', '1 while Valkey is away and this replica counts limits for itself.', () => Number(valkey.away))
  }
  if (searchIndex) {
    gauge('search_index_pending', 'Explorations that are still to be embedded.',
      async () => (await searchIndex.state()).pending)
  }
  let before = performance.eventLoopUtilization()
  const busy = 'Share of the time since the last reading in which the event loop was busy, 0 to 1: what to scale on.'
  gauge('event_loop_utilization', busy, () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization
  })
}
