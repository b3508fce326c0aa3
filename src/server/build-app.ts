/** Composition, top to bottom in the order of a request. Only it and converse.ts construct; everyone else is handed what they need. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import pino from 'pino'
import { platformServer } from '../api/platform/platform-server.js'
import type { Config } from '../config.js'
import { converse } from './protocol-engine.js'
import { authenticate } from '../auth/authenticate.js'
import { createConcurrentCalls } from '../http/concurrent-calls.js'
import { device } from '../auth/device-routes.js'
import { endpoint } from '../mcp/http/mcp-endpoint.js'
import { requireFront } from '../api/platform/platform-token.js'
import { health } from '../http/health.js'
import { memoryLimitCounts } from '../http/rate-limit-counter.js'
import { limitStore } from '../http/rate-limit-store.js'
import { notFound } from '../http/not-found.js'
import { openStreams } from '../mcp/http/open-streams.js'
import { isLoopback, originGuard } from '../http/origin.js'
import { shedLoad } from '../http/load-shedding.js'
import { ownToken } from '../auth/token-self-service.js'
import { limiter } from '../http/rate-limit.js'
import { refusalNotes } from '../audit/denial-recorder.js'
import { httpServer } from '../http/http-server.js'
import { createFailureReporter, isolate } from '../lib/isolate.js'
import { createSafeDestination } from './log-destination.js'
import type { Parts } from './dependencies.js'
import { PREFIX } from '../platform/operation.js'
import { changeFeed } from '../planning/change-feed.js'
import { taskDesk } from '../mcp/tasks/task-runner.js'
import { gauges } from '../telemetry/gauges.js'
import { telemetry } from '../telemetry/telemetry.js'
import { countedTasks } from '../telemetry/instrument-stores.js'
import { upkeep } from '../lib/periodic-jobs.js'
import { redactPath } from '../lib/redact/redact-url.js'
import { wireLog } from '../mcp/traffic/wire-log.js'

export const buildApp = async (config: Config, parts: Parts): Promise<FastifyInstance> => {
  const log: FastifyBaseLogger = pino({ level: config.logLevel, base: null, redact: ['req.headers.authorization'] }, createSafeDestination(parts.logTo ?? pino.destination(2)))
  const app = httpServer(config, log)
  if (config.trustProxy.toLowerCase() === 'true') {
    log.warn('TRUST_PROXY is true: the first address of X-Forwarded-For is believed, which clients can forge unless the proxy writes the header anew. ' +
      'Set the number of proxies before the server, or their networks.')
  }
  const watched = await telemetry(app, parts.figures, createFailureReporter((error, unreported) =>
    log.error({ err: error, unreported }, 'telemetry failed')))

  const wire = config.wireLog === undefined
    ? undefined
    : wireLog(config.wireLog, { failed: (error) => log.error({ err: error }, 'the wire log cannot be written') })
  app.addHook('onClose', async () => { await wire?.close() })
  const feed = changeFeed(parts.changes, (error) => {
    if (error === undefined) log.info('the feed of changes can be read again')
    else log.error({ err: error }, 'the feed of changes cannot be read')
  })
  const streams = openStreams(config.streamsPerCredential)
  const desk = taskDesk(watched.meter ? countedTasks(parts.tasks, watched.meter) : parts.tasks, parts.bus)
  const conversation = converse(config, parts, feed, desk, log, watched)
  const origin = originGuard({ allowed: config.allowedOrigins, loopback: isLoopback(config.host), publicUrl: config.publicUrl })

  const uncheckedStreams = (error: unknown): void => log.error({ err: error }, 'open streams could not be checked')
  feed.watchAccess({
    needed: () => streams.size > 0,
    gone: isolate((credential: string) => streams.endOf(credential), uncheckedStreams),
    moved: isolate((user: string) => streams.endNarrowed(user, parts.credentials.current), uncheckedStreams)
  })
  // What cannot be known for now is asked again.
  const expiry = upkeep([{ everyMs: 1000, work: () => streams.endExpired(parts.credentials.current) }], () => {})
  // Whoever listens is told that it is over before the server waits for its connections to end.
  app.addHook('preClose', async () => {
    feed.close()
    await expiry.end()
  })

  app.addHook('onClose', () => desk.close())

  const { auditRetentionDays: days } = config
  const chores = upkeep([
    { everyMs: 60_000, work: () => parts.credentials.noteExpired() },
    ...(days === undefined ? [] : [{ everyMs: 3_600_000, work: () => parts.audit.purge(days) }])
  ], (error) => log.error({ err: error }, 'upkeep failed'))
  const refusals = refusalNotes(async (event) => parts.audit.record(event), (error) => log.error({ err: error }, 'a refusal could not be recorded'))
  app.addHook('onClose', async () => {
    await chores.end()
    await refusals.close()
  })

  const limits = limitStore(parts.limitCounts ?? memoryLimitCounts())
  parts.valkey?.watch((reason) => {
    if (reason === undefined) log.info('Valkey is back: the replicas count limits together again')
    else log.warn({ err: reason }, 'Valkey is away: this replica counts limits for itself')
  })

  parts.platform?.watch((reason) => {
    if (reason === undefined) log.info('the platform is back')
    else log.warn({ err: reason }, 'the platform is away: calls are refused until it is back')
  }, ({ id, without }) => { log.warn(`the platform does not offer ${id}: ${without}`) })

  const draining = (): boolean => parts.stopping?.aborted === true
  app.addHook('onRequest', (_request, reply, done) => {
    // Whoever keeps connections open looks for another server with the next request.
    if (draining()) reply.header('connection', 'close')
    done()
  })
  app.setNotFoundHandler(notFound)
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, about } = request
    request.log.info({ method, url: redactPath(url), status: reply.statusCode, ms: Math.round(reply.elapsedTime), ...about?.trace }, 'answered')
  })
  const { databaseConnections, valkey } = parts
  gauges(watched, app, { streams, tasks: desk, draining, databaseConnections, valkey, searchIndex: parts.searchIndex })
  // How many explorations there are is told on the metrics port alone.
  const searchIndex = parts.searchIndex && (async () => (await parts.searchIndex!.state()).state)
  const { databaseReady: database, platform, place } = parts
  await app.register(health, { database, platform, valkey, place, searchIndex, draining })
  await app.register(device, { config, grants: parts.devices, origin, limits, refused: refusals.note })
  await app.register(ownToken, { config, credentials: parts.credentials, origin, limits, refused: refusals.note })
  const { platformToken: token } = config
  if (token !== undefined && config.platformUrl === undefined) {
    await app.register(platformServer, {
      prefix: PREFIX,
      ports: parts,
      async guard (scope) {
        await requireFront(scope, { config, tokens: [token, ...config.platformTokenPrevious], origin, limits, refused: refusals.note })
        await shedLoad(scope, config.overloadDelayMs)
      }
    })
  }
  await app.register(async (scope) => {
    await shedLoad(scope, config.overloadDelayMs)
    endpoint(scope, {
      config,
      authenticate: authenticate(parts.credentials),
      origin,
      limiter: await limiter(scope, config, limits),
      calls: createConcurrentCalls({ maxRunning: config.concurrentCalls }),
      conversation,
      streams,
      refused: refusals.note,
      onlookers: [...wire ? [wire.write] : [], ...parts.onlookers ?? []],
      onlookerFailed: createFailureReporter((error, unreported) => log.error({ err: error, unreported }, 'an exchange could not be recorded'))
    })
  })
  return app
}
