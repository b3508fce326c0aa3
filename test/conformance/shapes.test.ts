// Every method's result in every revision has the fields that the revision knows, and no others.
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { validator } from '../../src/lib/schema/validator.js'
import type { Tool, ToolResult } from '../../src/engine/tools/tool.js'
import { handshake, legacy, MODERN, modern, post } from '../helpers/build.js'
import { served } from './fixture.js'
import { WAV } from './media.js'
import { meets } from './requirements.js'
import { SHAPES } from './shapes.js'

interface Body { result?: Record<string, unknown>, error?: object }
type Asked = [method: string, params?: Record<string, unknown>]

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', MODERN]
const LEGACY_ONLY = ['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']
const checks = new Map(REVISIONS.map((r) => [r, new Map(Object.entries(SHAPES).map(([method, shape]) => [method, validator(shape(r))]))]))

const speaker = async (app: FastifyInstance, key: string, revision: string) => {
  if (revision === MODERN) return (method: string, params = {}) => modern<Body>(app, key, method, params)
  const session = await handshake(app, key, revision)
  return (method: string, params = {}) => legacy<Body>(app, key, session, method, params)
}

const everything: Tool<never> = {
  name: 'everything',
  title: 'Everything',
  description: 'Answers with each kind of content.',
  scope: 'read',
  input: { type: 'object' },
  output: { type: 'object' },
  annotations: { readOnlyHint: true },
  run: async (): Promise<ToolResult> => ({
    content: [
      { type: 'text', text: 'A text' },
      { type: 'audio', data: WAV, mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'test://static-text', name: 'static', title: 'A static text' }
    ],
    structuredContent: { all: true }
  })
}

t.test('the engine alone', async (t) => {
  meets('older-shapes', 'older-contents', 'tool-schema')
  const { app } = await served(t, { tools: [everything] })
  await shaped(t, app, 'any', [
    ['tools/list'], ['tools/call', { name: 'everything' }],
    ['tools/call', { name: 'test_multiple_content_types' }], ['tools/call', { name: 'test_error_handling' }],
    ['resources/list'], ['resources/templates/list'],
    ['resources/read', { uri: 'test://static-text' }], ['resources/read', { uri: 'test://static-binary' }],
    ['prompts/list'], ['prompts/get', { name: 'test_prompt_with_image' }],
    ['prompts/get', { name: 'test_prompt_with_embedded_resource', arguments: { resourceUri: 'test://x' } }],
    ['completion/complete', {
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' }, argument: { name: 'arg1', value: 'par' }
    }],
    ['ping'], ['logging/setLevel', { level: 'info' }],
    ['resources/subscribe', { uri: 'test://watched-resource' }], ['resources/unsubscribe', { uri: 'test://watched-resource' }]
  ])

  const kinds = async (revision: string) => {
    const { result } = (await (await speaker(app, 'any', revision))('tools/call', { name: 'everything' })).body
    return result!['content'] as Array<{ type: string, text?: string }>
  }
  for (const [revision, ...expected] of [
    ['2024-11-05', 'text', 'text', 'text'],
    ['2025-03-26', 'text', 'audio', 'text'],
    ['2025-06-18', 'text', 'audio', 'resource_link'],
    ['2025-11-25', 'text', 'audio', 'resource_link'],
    [MODERN, 'text', 'audio', 'resource_link']
  ] as const) t.strictSame((await kinds(revision)).map(({ type }) => type), expected, revision)
  t.match((await kinds('2024-11-05'))[1]?.text, 'audio/wav', 'what cannot be carried is told')
  t.equal((await kinds('2025-03-26'))[2]?.text, 'A static text: test://static-text')
})

async function shaped (t: Test, app: FastifyInstance, key: string, asked: Asked[]): Promise<void> {
  for (const revision of REVISIONS) {
    const say = await speaker(app, key, revision)
    const opening: Body = revision === MODERN
      ? (await say('server/discover')).body
      : (await post<Body>(app, key, {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'x', version: '1' } }
        })).body
    fits(t, revision, revision === MODERN ? 'server/discover' : 'initialize', opening)
    for (const [method, params] of asked) {
      if (revision === MODERN && LEGACY_ONLY.includes(method)) continue
      fits(t, revision, method, (await say(method, params)).body)
    }
  }
}

const fits = (t: Test, revision: string, method: string, { result }: Body): void => {
  const checked = checks.get(revision)!.get(method)!(result)
  t.strictSame(checked.ok ? [] : checked.faults, [], `${method} in ${revision}`)
}
