/** The endpoints of MCP: /mcp for keys and tokens, and with OAuth a second one for connected applications. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { authenticate } from '../access/authenticate.js'
import type { Config } from '../config/config.js'
import { challenge } from '../access/limits/challenge.js'
import { clientAddress } from '../lib/http/client-address.js'
import { createFairQueue } from '../lib/async/fair-queue.js'
import { shedLoad } from '../http/load-shedding.js'
import { createLimiter } from '../access/limits/rate-limit.js'
import type { CountHits } from '../access/limits/rate-limit-counter.js'
import { nextTurn } from '../lib/async/event-loop-yield.js'
import type { OriginGuard } from '../lib/http/origin-guard.js'
import type { UserPrincipal } from '../lib/principal.js'
import type { OpenStreams } from '../engine/http/open-streams.js'
import { createMcpPlugin } from '../engine/mcp-plugin.js'
import type { ExchangeListener } from '../engine/traffic/wire-exchange.js'
import { OAUTH_PATH, oauthAddresses, resourceForHost } from '../oauth/addresses.js'
import { authenticateConnection, oauthHint } from '../oauth/authenticate-connection.js'
import { oauthChallenge } from '../oauth/scope.js'
import { createMcpOptions, type McpOptionsDeps } from './mcp-options.js'

export interface McpEndpointsDeps extends McpOptionsDeps {
  config: Config
  /** Whether tokens of OAuth are accepted, from this server or from a platform. */
  hasOAuth: boolean
  origin: OriginGuard
  counter: CountHits
  streams: OpenStreams<UserPrincipal>
  exchangeListeners: readonly ExchangeListener[]
}

export const mcpEndpoints = async (scope: FastifyInstance, deps: McpEndpointsDeps): Promise<void> => {
  const { config, hasOAuth, credentials, origin, counter, streams, exchangeListeners, prepareSearch } = deps
  await shedLoad(scope, config.overloadDelayMs)
  const limiter = createLimiter(config, counter)
  // Node accepts one connection in each turn of the event loop. If a turn began every request that has arrived, one
  // caller with a hundred connections would keep all others from being accepted: a `ping` of theirs took four times as
  // long, and `/livez` five times. So four begin in a turn, the callers in turn.
  const beginnings = createFairQueue({ maxRunning: 4 })
  scope.addHook('onRequest', ({ headers, ip }, _reply, done) => {
    const begin = async (): Promise<void> => {
      done()
      await nextTurn()
    }
    beginnings.run(begin, headers.authorization ?? ip).catch(done)
  })
  if (prepareSearch) prepareSearchOnConnect(scope, prepareSearch)
  const common = {
    ...createMcpOptions(config, deps),
    origin,
    limiter,
    streams,
    addressOf: ({ ip }: FastifyRequest) => clientAddress(ip),
    exchangeListeners
  }
  const resource = (): string => oauthAddresses(scope, config).resource
  await scope.register(createMcpPlugin({
    ...common,
    authenticate: authenticate(credentials, hasOAuth ? () => oauthHint(resource()) : undefined, limiter.lookUp),
    challenge: ({ headers }, neededScope) => challenge(headers.authorization !== undefined, neededScope)
  }))
  if (!hasOAuth) return
  await scope.register(createMcpPlugin({
    ...common,
    paths: [OAUTH_PATH, `${OAUTH_PATH}/`],
    authenticate: authenticateConnection(credentials, resource, limiter.lookUp),
    challenge: (request, neededScope) => oauthChallenge(
      request.headers.authorization !== undefined, resourceForHost(request, resource(), config), neededScope)
  }))
}

/** What agents send when they connect, in each revision. */
const CONNECTING: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'tools/list'])

/** Calls `prepareSearch` after each answer to a connecting agent: its first search would wait for the search worker. */
const prepareSearchOnConnect = (scope: FastifyInstance, prepareSearch: () => void): void => {
  scope.addHook('onResponse', ({ about }, _reply, done) => {
    const operation = about?.operation
    if (operation?.outcome === 'ok' && CONNECTING.has(operation.method)) prepareSearch()
    done()
  })
}
