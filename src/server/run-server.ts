/**
 * Runs a server process: it opens the data, serves MCP, the pages and the management API, and closes all of it
 * in reverse order when it is asked to stop. With a database or a platform it has no data folder.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.js'
import { endpointOf, pagesUrlOf } from '../http/server-address.js'
import { Refusal } from '../lib/errors.js'
import type { ObservedClient } from '../engine/observer/client-registry.js'
import { createObserver, type ObserverOptions } from '../engine/observer/observer.js'
import { startSdk } from '../telemetry/sdk.js'
import type { OpenBackend } from './backend.js'
import { joinCluster } from './cluster.js'
import { acquireDataFolder, PLATFORM_SECRET, socketIn } from './data-folder.js'
import { firstStart, signInAtStart, type FirstStart, type SignInAtStart } from './first-start.js'
import { checkAddresses, closeApp, listen, listenForMetrics } from './listen.js'
import { createLogger } from './logger.js'
import type { PlanSource } from './served-plans.js'

export interface ServerRun {
  pid: number
  openBackend: OpenBackend
  /** Plans that are imported before the server listens, and followed afterwards. */
  plans?: PlanSource | undefined
  /** Logged at the start, each a sentence. */
  warnings: readonly string[]
  /** Resolves when the server is asked to stop. */
  stop: Promise<void>
  onFirstFinding: ObserverOptions['onFirstFinding']
  /** Called at the end with what the linter found; it rejects to make the run fail. */
  onReport (clients: readonly ObservedClient[]): Promise<void>
  onListening (server: ListeningServer): void
}

export interface ListeningServer {
  app: FastifyInstance
  config: Config
  start: FirstStart
  /** Undefined without the web application. */
  signIn: SignInAtStart | undefined
  /** What `--from` found, in sentences; empty without it. */
  foundPlans: readonly string[]
}

/** @throws {Refusal} for a data folder or port in use, an unreachable database, or an embedded database that ended */
export const runServer = async (configured: Config, run: ServerRun): Promise<void> => {
  const plans = run.plans && { ...run.plans, ...await import('./served-plans.js') }
  const served = await plans?.openServedPlans(plans, configured)
  const log = createLogger(configured)
  for (const warning of run.warnings) log.warn(warning)
  const stopping = new AbortController()
  const closers: Array<() => Promise<unknown>> = []
  try {
    const embedded = configured.databaseUrl === undefined && configured.platformUrl === undefined
    const folder = embedded ? await acquireDataFolder(configured.dataDir, run.pid) : undefined
    if (folder) closers.push(() => folder.release())
    // A gateway has no first start.
    if (configured.platformUrl === undefined) await checkAddresses(configured)
    if (folder) await plans?.hideDataFolder(folder.path)
    const sessionSecret = configured.sessionSecret ?? await folder?.secret('session-secret') ??
      randomBytes(32).toString('base64url')
    const platformToken = configured.platformToken ??
      (configured.platformApi ? await folder?.secret(PLATFORM_SECRET) : undefined)
    const config = Object.freeze({ ...configured, sessionSecret, platformToken })
    const { platformUrl } = config
    const [source, { buildApp }] = await Promise.all([
      platformUrl === undefined
        ? run.openBackend(config, folder, { sample: config.sample && run.plans === undefined })
        : import('./gateway.js').then(({ openGateway }) => openGateway(config, platformUrl)),
      // Loaded while the thread of the embedded database opens it.
      import('./build-app.js')
    ])
    const backend = 'directory' in source ? source : undefined
    const gateway = 'checkPlatform' in source ? source : undefined
    closers.push(() => source.close())
    const cluster = await joinCluster(configured, (lost) => {
      if (lost) log.error({ err: lost }, 'the replica lost its lock in the database')
      else log.info('the replica has its lock in the database again')
    }, closers)
    const { otelExporterOtlpEndpoint: endpoint } = config
    const sdk = await startSdk({
      endpoint, failed: (reason) => log.warn({ reason }, 'telemetry could not be sent')
    })
    closers.push(() => sdk.close())
    const metrics = config.metricsPort === undefined
      ? undefined
      : (await import('../telemetry/prometheus.js')).prometheus()
    let start: FirstStart = backend && !served
      ? await backend.exclusively(() => firstStart(config, backend))
      : { kind: 'known' }
    const observing = config.observe
      ? createObserver({
        onFirstFinding: run.onFirstFinding,
        onError: (error) => log.error({ err: error }, 'an exchange could not be observed')
      })
      : undefined
    // Reported last, when the listeners have seen the streams that end with the server.
    if (observing) {
      closers.push(() => run.onReport(observing.report()))
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
      const metricsApp = await listenForMetrics(metrics, config)
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
      const { serveManagement } = await import('./serve-management.js')
      const management = await serveManagement(socketIn(folder.path), ports, log)
      closers.push(() => management.close())
    }
    await backend?.searchIndex.start((error) =>
      log.error({ err: error }, 'the search index could not be brought up to date'))
    const foundPlans: string[] = []
    if (plans && served && backend) {
      for (const { path, plans: source } of served) {
        const { following, found } = await plans.followPlans(source, backend, { log, write: plans.write })
        closers.push(() => following.stop())
        foundPlans.push(...served.length > 1 ? [`${path}:`] : [], ...found)
      }
      start = await backend.exclusively(() => plans.firstPerson(backend, plans, served))
    }
    await backend?.openConnections()
    await listen(app, config)
    const signIn = backend && await signInAtStart(backend, app, config, start)
    run.onListening({ app, config, start, signIn, foundPlans })
    const crash = await Promise.race([run.stop, ...backend?.databaseCrashed ? [backend.databaseCrashed] : []])
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

/** Closes what was opened, the last first, also when some of it cannot be closed. @throws the first error */
const closeAll = async (closers: ReadonlyArray<() => Promise<unknown>>): Promise<void> => {
  const errors: unknown[] = []
  for (const close of closers.toReversed()) {
    await Promise.resolve().then(close).catch((error: unknown) => { errors.push(error) })
  }
  if (errors.length > 0) throw errors[0]
}
