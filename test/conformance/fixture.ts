/** The engine with what the official suite asks for: on loopback, without a credential, and with every ability. */
import { fileURLToPath } from 'node:url'
import fastify, { type FastifyInstance } from 'fastify'
import { createMcpPlugin, memoryChanges, type EngineStores, type EventBus, type ExchangeListener, type ReplyMode, type Tool } from 'exploration-mcp/engine'
import { inputTools } from './input-tools.js'
import { prompts } from './prompts.js'
import { resources } from './resources.js'
import { streamTools } from './stream-tools.js'
import { taskTools } from './task-tools.js'
import { tools } from './tools.js'

export interface FixtureOptions {
  /** Beside what the suite asks for. */
  tools?: ReadonlyArray<Tool<never>>
  replyMode?: ReplyMode
  onlookers?: readonly ExchangeListener[]
  /** What replicas share; its own when absent. */
  shared?: EngineStores & { bus?: EventBus }
}

export const fixture = async (
  { tools: more = [], replyMode = 'auto', onlookers = [], shared = {} }: FixtureOptions = {}
): Promise<FastifyInstance> => {
  const changes = memoryChanges({ lists: ['tools', 'resources', 'prompts'] })
  const app = fastify()
  await app.register(createMcpPlugin({
    server: {
      name: 'conformance-fixture',
      title: 'Conformance fixture',
      version: '1.0.0',
      description: 'What the official suite asks for'
    },
    instructions: 'For tests of the protocol.',
    services: { changes },
    tools: [...tools, ...inputTools, ...streamTools, ...taskTools, ...more],
    resources,
    prompts,
    skills: [fileURLToPath(new URL('skills/', import.meta.url))],
    changes,
    logs: true,
    tasks: true,
    secrets: ['the conformance fixture, which every replica of it knows'],
    replyMode,
    // Stores of tasks in a database want a UUID as owner.
    authenticate: async () => ({ principal: { credential: { id: '00000000-0000-4000-8000-000000000000', scope: 'admin' } } }),
    limits: { maxConcurrentCalls: 1000, maxStreams: 100_000 },
    stores: shared,
    ...shared.bus && { bus: shared.bus },
    exchangeListeners: onlookers,
    onUnexpectedError: (error) => { console.error(error) }
  }))
  return app
}
