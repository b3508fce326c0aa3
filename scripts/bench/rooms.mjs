// The protocol rooms with eight tools that answer from memory: a credential check, no limits, no log of requests.
import { timingSafeEqual } from 'node:crypto'
import fastify, { LogController } from 'fastify'
import { memoryEventBus } from '../../dist/mcp/event-bus.js'
import { readConfig } from '../../dist/config.js'
import { memoryEventStore } from '../../dist/mcp/eras/legacy/event-store.js'
import { legacyEra } from '../../dist/mcp/eras/legacy/index.js'
import { createSessions } from '../../dist/mcp/eras/legacy/session.js'
import { modernEra } from '../../dist/mcp/eras/modern/index.js'
import { requestStateCodec } from '../../dist/mcp/eras/modern/request-state.js'
import { mcpEndpoint } from '../../dist/mcp/http/mcp-endpoint.js'
import { openStreams } from '../../dist/mcp/http/open-streams.js'
import { originGuard } from '../../dist/http/origin.js'
import { methodsFor } from '../../dist/mcp/methods/index.js'
import { resourceRegistry } from '../../dist/mcp/resources/resource-registry.js'
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../../dist/mcp/revisions.js'
import { SERVER } from '../../dist/server-info.js'
import { memorySessionPreferences } from '../../dist/mcp/eras/legacy/session-preferences.js'
import { tools } from '../../dist/planning/tools/index.js'
import { toolRegistry } from '../../dist/mcp/tools/tool-registry.js'
import { record } from './record.mjs'

export const TOKEN = 'bench-token'

const expected = Buffer.from(`Bearer ${TOKEN}`)
const SECRET = 'the bench keeps no secrets from anyone'
const principal = {
  credential: { id: 'bench', kind: 'api_key', name: 'bench', scope: 'admin', expires_at: null },
  user: { id: 'bench', email: 'bench@example.com', name: 'Bench' },
  workspaces: []
}

const authenticate = async (request) => {
  const given = Buffer.from(request.headers.authorization ?? '')
  request.caller = given.length === expected.length && timingSafeEqual(given, expected)
    ? { principal }
    : { reason: 'invalid', hint: 'Send the bearer bench-token.' }
}

/** The product's tools as they are listed and checked, with an answer that is there already. */
const inMemory = tools.map((tool) => ({
  ...tool,
  run: async () => ({ content: [{ type: 'text', text: record.text }], structuredContent: record.data })
}))

export const rooms = async (flags = {}) => {
  const catalogue = {
    server: SERVER,
    instructions: 'A bench.',
    supportedVersions: [...MODERN_REVISIONS, ...LEGACY_REVISIONS.toReversed()],
    sessions: true,
    tools: toolRegistry(inMemory, {}),
    resources: resourceRegistry([], {})
  }
  const methods = methodsFor(catalogue)
  const app = fastify({ logger: false, logController: new LogController({ disableRequestLogging: true }) })
  await app.register((scope) => mcpEndpoint(scope, {
    config: readConfig({}, flags),
    authenticate,
    origin: originGuard({ allowed: [], loopback: true }),
    limiter: { count: async () => {} },
    streams: openStreams(100_000),
    exchangeListeners: [],
    engine: {
      eras: {
        legacy: legacyEra({
          served: LEGACY_REVISIONS,
          sessions: createSessions({ secrets: [SECRET], ttlSeconds: 3600, ended: { has: async () => false, add: async () => {} } }),
          preferences: memorySessionPreferences(),
          eventStore: memoryEventStore(),
          bus: memoryEventBus()
        }),
        modern: modernEra({ methods, features: catalogue, states: requestStateCodec([SECRET]) })
      },
      methods,
      features: catalogue,
      writeAudit: async () => {},
      onUnexpectedError: (error) => { console.error(error) }
    }
  }))
  return app
}
