/**
 * `serve`: serves MCP over HTTP and the management API on the socket of the data folder, until it is asked to stop.
 * With a database or a platform it has no data folder.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../server/build-app.js'
import { readConfig } from '../config.js'
import type { Config } from '../config.js'
import { Refusal } from '../lib/errors.js'
import type { ObservedClient } from '../mcp/lint/client-registry.js'
import { createObserver } from '../mcp/lint/observer.js'
import { metricsServer } from '../telemetry/metrics-server.js'
import { prometheus, type Prometheus } from '../telemetry/prometheus.js'
import { startSdk } from '../telemetry/sdk.js'
import { DataFolder, ownerOf, socketIn } from '../server/data-folder.js'
import { printFinding, printReport } from './print-findings.js'
import { firstStart, type FirstStart } from '../server/first-start.js'
import { createLogger } from '../server/logger.js'
import { joinCluster } from '../server/cluster.js'
import { openGateway, PLATFORM_SECRET } from '../server/gateway.js'
import type { CommandHandler } from './command-handler.js'
import { firstPerson, followPlans, hideDataFolder, openServedPlans } from './serve-from.js'
import { serveManagement } from '../server/serve-management.js'
import { endpointOf, pagesUrlOf } from '../http/server-address.js'
import { printStartupBanner } from './startup-banner.js'
import { errorCode } from '../lib/error-code.js'
import type { ManagementPorts } from '../api/management/management-ports.js'
import { recordOperation } from '../api/management/record-operation.js'
import { SIGN_IN_LINK_CREATED } from '../api/management/sign-in-links.js'
import { signInUrl, type SignInUrl } from './sign-in-url.js'

// A command that found no server may lock the folder for a moment.
const FOLDER_TIMEOUT_MS = 2000

/**
 * Starts the server and resolves after it has stopped.
 * @throws {Refusal} for an invalid configuration, a data folder or port in use, or an unreachable database
 */
export const serve: CommandHandler<{
  from?: string
  workspace?: string
  /** Called at the end with what the linter found; it rejects to make the command fail. */
  onObservations?: (clients: readonly ObservedClient[]) => Promise<void>
}> = async ({ json, from, workspace, onObservations }, context, flags) => {
  const stop = new Promise<void>((resolve) => { context.onStop(resolve) })
  const configured = readConfig(context.env, flags)
  if (workspace !== undefined && from === undefined) {
    throw new Refusal('--workspace names the workspace that --from imports into: use them together.')
  }
  const plans = from === undefined ? undefined : await openServedPlans(from, workspace, configured, context)
  const log = createLogger(configured)
  const stopping = new AbortController()
  const closers: Array<() => Promise<unknown>> = []
  try {
    const embedded = configured.databaseUrl === undefined && configured.platformUrl === undefined
    const folder = embedded ? await acquireFolder(configured, context.pid) : undefined
    if (folder) closers.push(() => folder.release())
    if (folder && plans) await hideDataFolder(folder.path)
    const sessionSecret = configured.sessionSecret ?? await folder?.secret('session-secret') ??
      randomBytes(32).toString('base64url')
    const platformToken = configured.platformToken ??
      (configured.platformApi ? await folder?.secret(PLATFORM_SECRET) : undefined)
    const config = Object.freeze({ ...configured, sessionSecret, platformToken })
    const source = config.platformUrl === undefined
      ? await context.openBackend(config, folder)
      : await openGateway(config, config.platformUrl)
    const backend = 'directory' in source ? source : undefined
    const gateway = 'checkPlatform' in source ? source : undefined
    closers.push(() => source.close())
    const cluster = await joinCluster(configured, (lost) => {
      if (lost) log.error({ err: lost }, 'the replica lost its lock in the database')
      else log.info('the replica has its lock in the database again')
    })
    closers.push(() => cluster.close())
    const { otelExporterOtlpEndpoint: endpoint, otelServiceName: serviceName } = config
    const sdk = await startSdk({
      endpoint, serviceName, failed: (reason) => log.warn({ reason }, 'telemetry could not be sent')
    })
    closers.push(() => sdk.close())
    const metrics = config.metricsPort === undefined ? undefined : prometheus()
    const key: FirstStart = backend
      ? await backend.exclusively(() => plans ? firstPerson(backend, context) : firstStart(config, backend))
      : { kind: 'known' }
    const output = { ...context, json }
    const observing = config.observe
      ? createObserver({
        onFirstFinding: (client, finding) => printFinding(output, client, finding),
        onError: (error) => log.error({ err: error }, 'an exchange could not be observed')
      })
      : undefined
    // Reported last, when the listeners have seen the streams that end with the server.
    if (observing) {
      closers.push(async () => {
        const clients = observing.report()
        printReport(output, clients)
        await onObservations?.(clients)
      })
    }
    const onlookers = observing ? [observing.record] : []
    const app = await buildApp(config, {
      ...source,
      ...cluster.deps,
      sessionSecret,
      log,
      stopping: stopping.signal,
      exchangeListeners: onlookers,
      metrics
    })
    if (cluster.warning !== undefined) log.warn(cluster.warning)
    if (metrics) {
      const metricsApp = await serveMetrics(metrics, config)
      log.info({ address: metricsApp.server.address() }, 'metrics are served')
      closers.push(() => metricsApp.close())
    }
    closers.push(() => closeApp(app, config.stopSeconds))
    if (sdk.missing !== undefined) log.warn(sdk.missing)
    if (!configured.sessionSecret && !folder) {
      log.warn('SESSION_SECRET is not set: sessions end with this process, and no other replica knows them')
    }
    await gateway?.checkPlatform(log)
    if (folder && backend) {
      const ports = {
        ...backend,
        observer: observing,
        endpoint: () => endpointOf(app, config),
        pages: config.web === 'on' ? () => pagesUrlOf(app, config) : 'off' as const
      }
      const management = await serveManagement(socketIn(folder.path), ports, log)
      closers.push(() => management.close())
    }
    await backend?.searchIndex.start((error) =>
      log.error({ err: error }, 'the search index could not be brought up to date'))
    if (plans && backend) {
      const following = await followPlans(plans, backend, log)
      closers.push(() => following.stop())
    }
    await backend?.warmUp()
    await listen(app, config, '--port', '--host')
    printStartupBanner(output, app, config, key, backend && await firstSignInUrl(backend, app, config, key))
    const crash = await Promise.race([stop, ...backend?.databaseCrashed ? [backend.databaseCrashed] : []])
    stopping.abort()
    if (crash) {
      log.fatal({ err: crash }, 'the embedded database ended, and the server with it')
      throw new Refusal(`${crash.message} Start the server again: all that it answered is in the data folder.`)
    }
    await sleep(config.drainSeconds * 1000)
  } catch (error) {
    // The first error says more than those that it causes.
    await closeAll(closers).catch(() => {})
    throw error
  }
  await closeAll(closers)
}

/**
 * Closes what was opened, the last first, also when some of it cannot be closed.
 * @throws the first error
 */
async function closeAll (closers: ReadonlyArray<() => Promise<unknown>>): Promise<void> {
  const errors: unknown[] = []
  for (const close of closers.toReversed()) {
    await Promise.resolve().then(close).catch((error: unknown) => { errors.push(error) })
  }
  if (errors.length > 0) throw errors[0]
}

/** A link that signs the first person in, once; undefined at later starts and without the web application. */
async function firstSignInUrl (
  { signInLinks, audit }: Pick<ManagementPorts, 'signInLinks' | 'audit'>, app: FastifyInstance, config: Config,
  start: FirstStart
): Promise<SignInUrl | undefined> {
  if (config.web === 'off' || !('user' in start)) return undefined
  const { token, expires_at: expiresAt } = await signInLinks.create(start.user)
  await recordOperation(
    audit, { action: SIGN_IN_LINK_CREATED, userId: start.user, requestId: '-', actor: 'first start' })
  return { url: signInUrl(pagesUrlOf(app, config), token), expires_at: expiresAt }
}

async function acquireFolder ({ dataDir }: Config, pid: number): Promise<DataFolder> {
  const deadline = performance.now() + FOLDER_TIMEOUT_MS
  do {
    const folder = await DataFolder.take(dataDir, pid)
    if (folder) return folder
    await sleep(50)
  } while (performance.now() < deadline)
  throw new Refusal(
    `The data folder ${dataDir} is in use by ${await ownerOf(dataDir)}: stop it, or choose another folder with --data.`,
    'conflict'
  )
}

async function serveMetrics (
  metrics: Prometheus, { metricsHost: host, metricsPort: port = 0 }: Config
): Promise<FastifyInstance> {
  const app = metricsServer(metrics, host)
  await listen(app, { host, port }, '--metrics-port', '--metrics-host')
  return app
}

async function listen (
  app: FastifyInstance, { host, port }: Pick<Config, 'host' | 'port'>, portFlag: string, hostFlag: string
): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EADDRINUSE') {
      throw new Refusal(
        `Port ${port} of ${host} is in use: stop what uses it, or choose another with ${portFlag}.`, 'conflict'
      )
    }
    if (code === 'EACCES') {
      throw new Refusal(`Port ${port} of ${host} may not be used by this user: choose another with ${portFlag}.`)
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new Refusal(`${host} is not an address of this machine: choose another with ${hostFlag}.`)
    }
    throw error
  }
}

/**
 * Stops accepting requests, waits for running ones, and ends what is still open, such as streams, after the
 * configured time.
 */
async function closeApp (app: FastifyInstance, seconds: number): Promise<void> {
  const hurry = setTimeout(() => { app.server.closeAllConnections() }, seconds * 1000)
  try {
    await app.close()
  } finally {
    clearTimeout(hurry)
  }
}
