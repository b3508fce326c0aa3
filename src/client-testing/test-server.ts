/**
 * The correct server that clients under test talk to, behind the proxy that misbehaves: this engine with made-up data,
 * four tools, three resources and a prompt. It needs no database and no folder.
 */
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import { mint } from '../access/credentials/secret.js'
import {
  createMcpPlugin, Fault, memoryChanges, progress, Refusal, result, type HandlerEvent, type Prompt, type Resource,
  type Tool, type ToolResult
} from '../engine/engine.js'
import { SERVER } from '../config/server-info.js'
import { isSame } from '../lib/text/signed-text.js'
import { TEST_SKILLS } from './profiles/skills.js'

const WORKSPACES = [
  { id: 'w-checkout', name: 'Checkout – Zürich' },
  { id: 'w-search', name: 'Search 検索 🔎' }
]
const EXPLORATIONS = [
  {
    id: 'e-refunds',
    workspace_id: 'w-checkout',
    title: 'Partial refunds',
    summary: 'Give back a part of what was paid.'
  },
  {
    id: 'e-invoices',
    workspace_id: 'w-checkout',
    title: 'Invoices by post',
    summary: 'Print an invoice and send it by post.'
  },
  { id: 'e-typos', workspace_id: 'w-search', title: 'Typing errors', summary: 'Find what was meant.' }
]

const string = { type: 'string' } as const
const list = (name: string, properties: Record<string, typeof string>): Tool['output'] => ({
  type: 'object',
  properties: { [name]: { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } } },
  required: [name]
})

async function * find ({ query = '' }: { query?: string }): AsyncGenerator<HandlerEvent, ToolResult, never> {
  for (const step of [1, 2, 3]) yield progress(step, 3, `step ${step} of 3`)
  const words = query.toLowerCase()
  const hits = EXPLORATIONS.filter(({ title, summary }) => `${title} ${summary}`.toLowerCase().includes(words))
  const explorations = (hits.length > 0 ? hits : EXPLORATIONS).map(({ id, title }) => ({ id, title }))
  return result({ explorations }, explorations.map(({ title }) => title).join(', '))
}

const testTools: ReadonlyArray<Tool<never>> = [
  {
    name: 'ping',
    title: 'Ping',
    description: 'Answers that the server works.',
    scope: 'read',
    input: { type: 'object' },
    output: { type: 'object', properties: { status: string }, required: ['status'] },
    run: async () => result({ status: 'ok' }, 'ok')
  },
  {
    name: 'list_workspaces',
    title: 'List workspaces',
    description: 'Lists the workspaces.',
    scope: 'read',
    input: { type: 'object' },
    output: list('workspaces', { id: string, name: string }),
    run: async () => result({ workspaces: WORKSPACES }, WORKSPACES.map(({ name }) => name).join(', '))
  },
  {
    name: 'find_explorations',
    title: 'Find explorations',
    description: 'Finds explorations by words of their title or summary; all of them when none fits.',
    scope: 'read',
    input: { type: 'object', properties: { query: string } },
    output: list('explorations', { id: string, title: string }),
    run: find
  } as Tool<never>,
  {
    name: 'get_exploration',
    title: 'Get an exploration',
    description: 'Returns one exploration by its id, such as e-refunds.',
    scope: 'read',
    input: { type: 'object', properties: { exploration_id: string }, required: ['exploration_id'] },
    output: { type: 'object', properties: { id: string, title: string, summary: string }, required: ['id', 'title'] },
    run: async ({ exploration_id: id }: { exploration_id: string }) => {
      const exploration = EXPLORATIONS.find((exploration) => exploration.id === id)
      if (!exploration) throw new Refusal('There is no such exploration. find_explorations lists them.')
      return result(exploration, `${exploration.title}: ${exploration.summary}`)
    }
  } as Tool<never>
]

const page = (name: string, text: string): Resource => ({
  template: `service://test/${name}`,
  name,
  title: name,
  description: `Made-up data: ${name}.`,
  mimeType: 'text/plain',
  ttlMs: 60_000,
  read: async () => ({ mimeType: 'text/plain', text })
})

const testResources: readonly Resource[] = [
  page('workspaces', WORKSPACES.map(({ name }) => name).join('\n')),
  page('explorations', EXPLORATIONS.map(({ title }) => title).join('\n')),
  page('glossary', 'exploration: an idea that is being examined')
]

const testPrompts: readonly Prompt[] = [
  {
    name: 'summarize',
    title: 'Summarize',
    description: 'Asks for a summary of the explorations.',
    get: async () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Summarize the explorations.' } }] })
  }
]

/** Creates a random token in the form of a key of this server, which redaction knows. It is worth nothing elsewhere. */
export const createTestToken = (): string => mint('api_key')

export type TestServer = Awaited<ReturnType<typeof startTestServer>>

/** Starts the server on a free port of 127.0.0.1. `token` is the only credential that it accepts. */
export const startTestServer = async (token: string) => {
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
