/** The protocol rooms with what the official suite asks for in place of the product: on loopback, without a credential. */
import fastify, { type FastifyInstance } from 'fastify'
import { memoryEventBus, type EventBus } from '../../src/mcp/event-bus.js'
import { readConfig } from '../../src/config.js'
import type { ReplyMode } from '../../src/mcp/eras/era.js'
import { memoryEventStore, type EventStore } from '../../src/mcp/eras/legacy/event-store.js'
import type { AskedIds } from '../../src/mcp/eras/legacy/asked-ids.js'
import { eventPositions } from '../../src/mcp/eras/legacy/event-positions.js'
import { legacyEra } from '../../src/mcp/eras/legacy/index.js'
import { createSessions } from '../../src/mcp/eras/legacy/session.js'
import { modernEra } from '../../src/mcp/eras/modern/index.js'
import { requestStateCodec } from '../../src/mcp/eras/modern/request-state.js'
import { mcpEndpoint } from '../../src/mcp/http/mcp-endpoint.js'
import { createConcurrentCalls } from '../../src/http/concurrent-calls.js'
import { openStreams } from '../../src/mcp/http/open-streams.js'
import { originGuard } from '../../src/http/origin.js'
import { methodsFor } from '../../src/mcp/methods/index.js'
import type { ServerFeatures } from '../../src/mcp/methods/method.js'
import type { Principal } from '../../src/lib/principal.js'
import { promptRegistry } from '../../src/mcp/prompts/prompt-registry.js'
import { resourceRegistry } from '../../src/mcp/resources/resource-registry.js'
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../../src/mcp/revisions.js'
import type { EndedSessionStore } from '../../src/mcp/eras/legacy/ended-session-store.js'
import {
  memorySessionPreferences, type SessionPreferencesStore
} from '../../src/mcp/eras/legacy/session-preferences.js'
import type { TaskStore } from '../../src/mcp/tasks/task-store.js'
import type { Tool } from '../../src/mcp/tools/tool.js'
import { createTaskRunner } from '../../src/mcp/tasks/task-runner.js'
import { toolRegistry } from '../../src/mcp/tools/tool-registry.js'
import type { ExchangeListener } from '../../src/mcp/traffic/wire-exchange.js'
import { memoryTasks } from '../helpers/memory-tasks.js'
import { handChanges, type HandChanges } from './changes.js'
import { inputTools } from './input-tools.js'
import { prompts } from './prompts.js'
import { resources } from './resources.js'
import { streamTools } from './stream-tools.js'
import { taskTools } from './task-tools.js'
import { tools } from './tools.js'

const anyone: Principal = {
  credential: {
    id: '00000000-0000-4000-8000-000000000000',
    kind: 'api_key',
    name: 'anyone',
    scope: 'admin',
    expires_at: null
  },
  user: { id: 'anyone', email: 'anyone@example.com', name: 'Anyone' },
  workspaces: []
}

export interface FixtureOptions {
  /** Beside what the suite asks for. */
  tools?: ReadonlyArray<Tool<never>>
  changes?: HandChanges
  replyMode?: ReplyMode
  onlookers?: readonly ExchangeListener[]
  /** What replicas share; its own when absent. */
  shared?: {
    bus?: EventBus,
    askedIds?: AskedIds,
    eventLog?: EventStore,
    tasks?: TaskStore,
    ended?: EndedSessionStore,
    notes?: SessionPreferencesStore
  }
}

export const fixture = async (
  { tools: more = [], changes = handChanges(), replyMode = 'auto', onlookers = [], shared = {} }: FixtureOptions = {}
): Promise<FastifyInstance> => {
  const bus = shared.bus ?? memoryEventBus()
  const tasks = createTaskRunner(shared.tasks ?? memoryTasks(), bus)
  const features: ServerFeatures = {
    server: {
      name: 'conformance-fixture',
      title: 'Conformance fixture',
      version: '1.0.0',
      description: 'What the official suite asks for'
    },
    instructions: 'For tests of the protocol.',
    supportedVersions: [...MODERN_REVISIONS, ...LEGACY_REVISIONS.toReversed()],
    sessions: true,
    tools: toolRegistry([...tools, ...inputTools, ...streamTools, ...taskTools, ...more], { changes }),
    resources: resourceRegistry(resources, {}),
    prompts: promptRegistry(prompts, {}),
    changes,
    logs: true,
    tasks
  }
  const methods = methodsFor(features)
  const ended = new Set<string>()
  const app = fastify()
  app.addHook('onClose', () => tasks.close())
  await app.register((scope) => mcpEndpoint(scope, {
    config: readConfig({}, { replyMode }),
    authenticate: async (request) => { request.caller = { principal: anyone } },
    origin: originGuard({ allowed: [], loopback: true }),
    limiter: { count: async () => {}, isBlocked: () => false },
    calls: createConcurrentCalls({ maxRunning: 1000 }),
    streams: openStreams(100_000),
    recordDenial: () => {},
    exchangeListeners: onlookers,
    engine: {
      eras: {
        legacy: legacyEra({
          served: LEGACY_REVISIONS,
          sessions: createSessions({
            secrets: ['the fixture keeps no secrets from anyone'],
            ttlSeconds: 3600,
            ended: shared.ended ?? { has: async (id) => ended.has(id), add: async (id) => { ended.add(id) } }
          }),
          preferences: shared.notes ?? memorySessionPreferences(),
          eventStore: shared.eventLog ?? memoryEventStore(),
          positions: eventPositions({ secrets: ['the conformance fixture, which every replica of it knows'] }),
          bus,
          askedIds: shared.askedIds,
          changes
        }),
        modern: modernEra({
          methods, features, states: requestStateCodec(['the fixture keeps no secrets from anyone'])
        })
      },
      methods,
      features,
      writeAudit: async () => {},
      onUnexpectedError: (error) => { console.error(error) }
    }
  }))
  return app
}
