/** Builds the Fastify application from its dependencies. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { platformServer } from '../platform-api/server/platform-server.js'
import type { Config } from '../config/config.js'
import { platformManagement } from '../administration/socket-server.js'
import { endLostStreams, startMaintenance } from './maintenance.js'
import { mcpEndpoints } from './mcp-endpoints.js'
import { deviceRoutes } from '../access/credentials/device-routes.js'
import { requirePlatformToken } from '../platform-api/server/platform-token.js'
import { health } from '../http/health.js'
import { addressLimits } from '../access/limits/ip-rate-limit.js'
import { batchHits, memoryRateLimitCounter } from '../access/limits/rate-limit-counter.js'
import { notFound } from '../http/problem.js'
import { publicPathRouting } from '../http/public-path.js'
import { openStreams } from '../engine/http/open-streams.js'
import { originGuard } from '../lib/http/origin-guard.js'
import { shedLoad } from '../http/load-shedding.js'
import { tokenSelfService } from '../access/credentials/token-self-service.js'
import { createDenialRecorder } from '../access/audit/denial-recorder.js'
import { httpServer } from '../http/http-server.js'
import { createFailureReporter } from '../lib/async/isolate.js'
import { createLogger } from './logger.js'
import type { ServerDeps } from './dependencies.js'
import { PREFIX } from '../platform-api/client/operation.js'
import { changeFeed } from '../planning/change-feed.js'
import { gauges } from '../telemetry/gauges.js'
import { telemetry } from '../telemetry/telemetry.js'
import { redactPath } from '../lib/redact/redact-headers.js'
import { wireLog } from '../engine/traffic/wire-log.js'
import { isLoopbackHost } from '../lib/http/loopback.js'
import { oauthAddresses } from '../oauth/addresses.js'
import { oauthHostRouting } from '../oauth/host-routing.js'
import { isOAuthEnabled } from '../oauth/is-enabled.js'
import { metadataRoutes } from '../oauth/metadata.js'
import { serveOAuth } from '../oauth/oauth-server.js'
import { readPages } from '../web/pages/pages.js'
import { unknownPage } from '../web/pages/page-routes.js'
import { webRoutes } from '../web/web-routes.js'
import type { UserPrincipal } from '../lib/principal.js'

const WITHOUT_REQUESTS: ReadonlySet<string> = new Set(['warn', 'error', 'fatal', 'silent'])

/** Returns the application, which does not listen yet. Closing it closes what it started, not its dependencies. */
export const buildApp = async (config: Config, deps: ServerDeps): Promise<FastifyInstance> => {
  const log = deps.log ?? createLogger(config, deps.logDestination)
  const web = config.web === 'on' ? deps.web : undefined
  // What cannot be served is refused before anything is started.
  const hasOAuth = isOAuthEnabled(config, {
    hasPages: web !== undefined, isFront: deps.platformIssuer !== undefined
  })
  const app = httpServer(config, log, [publicPathRouting(config), hasOAuth ? oauthHostRouting(config) : undefined])
  if (config.trustProxy.toLowerCase() === 'true') {
    log.warn('TRUST_PROXY is true: the first address of X-Forwarded-For is believed, which clients can forge unless ' +
      'the proxy writes the header anew. Set the number of proxies before the server, or their networks.')
  }
  const instruments = await telemetry(app, deps.metrics, createFailureReporter((error, unreported) =>
    log.error({ err: error, unreported }, 'telemetry failed')))

  const trafficLog = config.wireLog === undefined
    ? undefined
    : wireLog(config.wireLog, (error) => log.error({ err: error }, 'the wire log cannot be written'))
  app.addHook('onClose', async () => { await trafficLog?.close() })
  const feed = changeFeed(deps.changes, (error) => {
    if (error === undefined) log.info('the feed of changes can be read again')
    else log.error({ err: error }, 'the feed of changes cannot be read')
  })
  const streams = openStreams<UserPrincipal>(config.streamsPerCredential)
  const origin = originGuard({
    allowed: config.allowedOrigins,
    loopback: isLoopbackHost(config.host),
    publicUrl: config.publicUrl,
    hosts: hasOAuth && config.oauthUrl !== undefined ? [new URL(config.oauthUrl).hostname] : []
  })

  const expiry = endLostStreams({ feed, streams, credentials: deps.credentials, log })
  // Open streams end before the server waits for its connections to end.
  app.addHook('preClose', async () => {
    feed.close()
    await expiry.stop()
  })

  const jobs = startMaintenance(config, { ...deps, web, log })
  const denials = createDenialRecorder(
    async (event) => deps.audit.record(event), (error) => log.error({ err: error }, 'a refusal could not be recorded')
  )
  app.addHook('onClose', async () => {
    await jobs.stop()
    await denials.close()
  })

  const rateLimitCounter = deps.rateLimitCounter ?? memoryRateLimitCounter()
  // One step in Valkey counts all requests of a turn; in memory there is nothing to wait for.
  const counter = deps.rateLimitCounter ? batchHits(rateLimitCounter) : rateLimitCounter
  const limits = await addressLimits(app, counter)
  logOutages(deps, log)

  const draining = (): boolean => deps.stopping?.aborted === true
  app.addHook('onRequest', (_request, reply, done) => {
    // Anyone who keeps connections open looks for another server with the next request.
    if (draining()) reply.header('connection', 'close')
    done()
  })
  const pages = web && readPages(config)
  if (web && !pages) {
    log.warn('the pages of the web application are not served, as they were not built: npm run build')
  }
  app.setNotFoundHandler(pages ? unknownPage(pages) : notFound)
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url, about, log: requestLog } = request
    if (!WITHOUT_REQUESTS.has(log.level)) {
      requestLog.info(
        { method, url: redactPath(url), status: reply.statusCode, ms: Math.round(reply.elapsedTime), ...about?.trace },
        'answered'
      )
    }
    done()
  })
  gauges(instruments, app, { ...deps, streams, draining })
  // Only the metrics port shows how many explorations there are.
  const { searchIndex: index } = deps
  const searchIndex = index && (async () => (await index.state()).state)
  await app.register(health, { ...deps, database: deps.databaseReady, searchIndex, draining })
  const guarded = { config, origin, limits, onDenial: denials.record }
  await app.register(deviceRoutes, { ...guarded, grants: deps.devices, hasPage: pages !== undefined })
  await app.register(tokenSelfService, { ...guarded, credentials: deps.credentials })
  const secrets = [deps.sessionSecret, ...config.sessionSecretPrevious]
  const oauth = hasOAuth && web
    ? await serveOAuth(app, {
      ...guarded,
      clients: web.oauthClients,
      grants: web.oauthGrants,
      secrets,
      documents: deps.clientDocuments,
      now: deps.now
    })
    : undefined
  if (hasOAuth && !web) {
    await app.register(metadataRoutes, { config, origin, foreignIssuer: deps.platformIssuer })
  }
  if (web) {
    const { valkey, databaseReady, prepareSearch } = deps
    await app.register(webRoutes, {
      ...guarded, ports: web, pages, oauth, secrets, rateLimitCounter, feed, valkey, databaseReady, prepareSearch
    })
  }
  const { platformToken: token } = config
  if (token !== undefined && config.platformUrl === undefined) {
    await app.register(platformServer, {
      prefix: PREFIX,
      ports: { ...deps, oauthIssuer: () => oauth ? oauthAddresses(app, config).resource : undefined },
      more: (scope) => { if (deps.web) platformManagement(scope, deps.web) },
      async guard (scope) {
        requirePlatformToken(scope, { ...guarded, tokens: [token, ...config.platformTokenPrevious] })
        await shedLoad(scope, config.overloadDelayMs)
      }
    })
  }
  await app.register(mcpEndpoints, {
    ...deps,
    config,
    hasOAuth,
    feed,
    denials,
    telemetry: instruments,
    origin,
    counter,
    streams,
    exchangeListeners: [...trafficLog ? [trafficLog.write] : [], ...deps.exchangeListeners ?? []]
  })
  return app
}

const logOutages = (
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
