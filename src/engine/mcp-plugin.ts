/** The engine as a Fastify plugin: both eras of the protocol at one endpoint. */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { bearerChallenge } from '../lib/http/bearer-challenge.js'
import { closeIdleConnections } from '../lib/http/graceful-close.js'
import { createFailureReporter } from '../lib/async/isolate.js'
import { isLoopbackHost } from '../lib/http/loopback.js'
import { originGuard, type OriginGuard } from '../lib/http/origin-guard.js'
import { startPeriodicJobs } from '../lib/async/periodic-jobs.js'
import { isBuiltInScope, type Principal } from '../lib/principal.js'
import { createEngine, type ComposedEngine } from './create-engine.js'
import { createConcurrentCalls } from './http/concurrent-calls.js'
import { mcpEndpoint } from './http/mcp-endpoint.js'
import { openStreams } from './http/open-streams.js'
import { memoryChanges } from './memory-changes.js'
import type { McpPluginOptions } from './plugin-options.js'
import { loadSkills } from './skills/skill-registry.js'
import { endingWith, type ChangeNotifier } from './subscriptions.js'
import { isToolSet, type ToolSet } from './tools/tool-set.js'

const MAX_BODY_BYTES = 131_072
const MAX_BATCH = 50
const MAX_CONCURRENT_CALLS = 8
const MAX_STREAMS = 64
const EXPIRY_CHECK_MS = 1000

const ANONYMOUS: Principal = { credential: { id: 'anonymous', scope: 'admin' } }

/**
 * Creates the plugin: `await app.register(createMcpPlugin({ server, tools }))`. Everything that is not an option has a
 * default in the memory of the process. When the server closes, streams of changes end, running calls are finished,
 * and connections without a call are closed.
 * @throws {Error} when the schema of a tool is invalid, or a skill breaks its rules
 */
export const createMcpPlugin = <Services extends object = object, P extends Principal = Principal>(
  options: McpPluginOptions<Services, P>
): FastifyPluginAsync => async (app) => {
    const { limits = {}, streams = createStreams(app, limits.maxStreams), authenticate } = options
    const closing = new AbortController()
    const skills = options.skills && await loadSkills(options.skills)
    const { tools } = options
    const changes = options.changes ?? (isToolSet(tools) ? memoryChanges<P>({ lists: ['tools'] }) : undefined)
    const engine = createEngine(
      { ...options, changes: changes && endingWith(changes, closing.signal) },
      options.onUnexpectedError ?? ((error, { requestId, about }) =>
        app.log.error({ err: error, reqId: requestId, ...about.trace }, 'unexpected error')),
      skills
    )
    app.addHook('preClose', async () => { closing.abort() })
    closeIdleConnections(app)
    app.addHook('onClose', () => engine.features.tasks?.close())
    if (isToolSet(tools)) followTools(app, tools, engine, changes)
    if (!authenticate) warnWhenPublic(app)
    mcpEndpoint(app, {
      paths: options.paths ?? ['/mcp', '/mcp/'],
      engine,
      origin: options.origin ?? createOriginGuard(app, options),
      authenticate: authenticate ?? (async () => ({ principal: ANONYMOUS })),
      challenge: options.challenge ?? defaultChallenge(options),
      limiter: options.limiter,
      calls: createConcurrentCalls({ maxRunning: limits.maxConcurrentCalls ?? MAX_CONCURRENT_CALLS }),
      streams,
      maxBodyBytes: limits.maxBodyBytes ?? MAX_BODY_BYTES,
      maxBatch: limits.maxBatch ?? MAX_BATCH,
      acceptRule: options.acceptRule ?? 'strict',
      replyMode: options.replyMode ?? 'auto',
      addressOf: options.addressOf ?? (({ ip }) => ip),
      exchangeListeners: options.exchangeListeners ?? [],
      onListenerError: options.onListenerError ?? createFailureReporter((error, unreported) =>
        app.log.error({ err: error, unreported }, 'an exchange could not be recorded'))
    })
  }

/** Serves the tools of a set as they are from now on. */
const followTools = <Services, P extends Principal>(
  app: FastifyInstance, tools: ToolSet<Services, P>, engine: ComposedEngine, changes: ChangeNotifier<P> | undefined
): void => {
  const unfollow = tools.follow((changed) => {
    const commit = engine.prepareTools(changed)
    return () => {
      commit()
      if (changes?.lists.has('tools')) changes.announce?.({ kind: 'list', list: 'tools' })
    }
  })
  app.addHook('onClose', async () => { unfollow() })
}

/** The plugin's own register of streams. It ends the streams of a credential when that expires. */
const createStreams = (app: FastifyInstance, maxStreams = MAX_STREAMS) => {
  const streams = openStreams(maxStreams)
  const expiry = startPeriodicJobs([
    { everyMs: EXPIRY_CHECK_MS, work: () => streams.endExpired(async () => undefined) }
  ], () => {})
  app.addHook('preClose', () => expiry.stop())
  return streams
}

/** The default guard. It becomes strict about `Host` once the server listens on loopback. */
const createOriginGuard = (
  app: FastifyInstance, { allowedOrigins = [], publicUrl }: Pick<McpPluginOptions, 'allowedOrigins' | 'publicUrl'>
): OriginGuard => {
  const guardFor = (loopback: boolean): OriginGuard => originGuard({
    allowed: allowedOrigins,
    loopback,
    publicUrl,
    settings: { allowedOrigins: 'the option allowedOrigins', publicUrl: 'the option publicUrl' }
  })
  let guard = guardFor(false)
  app.addHook('onListen', async () => { guard = guardFor(listensOnLoopback(app)) })
  return {
    isAllowed: (origin) => guard.isAllowed(origin),
    check: (request) => guard.check(request)
  }
}

const listensOnLoopback = ({ server }: FastifyInstance): boolean => {
  const address = server.address()
  return typeof address === 'object' && address !== null && isLoopbackHost(address.address)
}

const warnWhenPublic = (app: FastifyInstance): void => {
  app.addHook('onListen', async () => {
    if (typeof app.server.address() !== 'object' || listensOnLoopback(app)) return
    app.log.warn('the MCP endpoint has no authentication, so everybody who reaches this address may call every tool')
  })
}

/** Only clients of OAuth use the scope of a first request; servers with own scopes say them in their metadata. */
const defaultChallenge = <Services extends object, P extends Principal>(
  { server, resourceMetadata, tools = [] }: Pick<McpPluginOptions<Services, P>, 'server' | 'resourceMetadata' | 'tools'>
) => {
  const first = [...tools].every(({ scope }) => scope === undefined || isBuiltInScope(scope)) ? 'read' : undefined
  return (request: FastifyRequest, neededScope: string | undefined): string => bearerChallenge({
    realm: server.name,
    given: request.headers.authorization !== undefined,
    neededScope,
    ...resourceMetadata && { scope: first, resourceMetadata: resourceMetadata(request) }
  })
}
