/**
 * The correct server that clients under test talk to, behind the proxy that misbehaves: this engine with made-up data.
 * It needs no database and no folder.
 */
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import { createMcpPlugin, Fault, memoryChanges } from '../engine/engine.js'
import { SERVER } from '../config/server-info.js'
import { testPrompts, testResources, testTools } from './planning-data.js'
import { isSame } from '../lib/text/signed-text.js'
import { TEST_SKILLS } from './profiles/skills.js'

export interface TestServer {
  /** The endpoint, on 127.0.0.1. */
  url: URL
  close (): Promise<void>
}

/** Starts the server on a free port of 127.0.0.1. `token` is the only credential that it accepts. */
export const startTestServer = async (token: string): Promise<TestServer> => {
  const app = fastify({ forceCloseConnections: true })
  await app.register(createMcpPlugin({
    server: {
      name: 'exploration-mcp-test-server', title: 'Test server', version: SERVER.version, description: 'Made-up data'
    },
    instructions: 'This server has made-up planning data for tests of clients.',
    tools: testTools,
    resources: testResources,
    prompts: testPrompts,
    skills: { folders: [fileURLToPath(TEST_SKILLS)], listed: false },
    changes: memoryChanges({ lists: ['tools', 'resources', 'prompts'] }),
    logs: true,
    limits: { maxBodyBytes: 4 * 1024 * 1024, maxConcurrentCalls: 1000, maxStreams: 1000 },
    authenticate: async ({ headers }) => {
      // Several clients at a time differ by what they append to the token, after a full stop.
      const [, bearer = ''] = /^Bearer ([^\s.]+)(?:\.\S*)?$/i.exec(headers.authorization ?? '') ?? []
      if (!isSame(bearer, token)) throw new Fault('unauthorized', 'Use the token in MCP_TOKEN.')
      return { principal: { credential: { id: 'client-under-test', scope: 'read' } } }
    },
    onUnexpectedError: () => {}
  }))
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return { url: new URL(`${origin}/mcp`), close: () => app.close() }
}
