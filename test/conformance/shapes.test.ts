// Every method's result in every revision has the fields that the revision knows, and no others.
import t from 'tap'
import { validator } from '../../src/lib/schema/validator.js'
import { tool } from '../engine/serve.js'
import { initialize, MODERN, post, speaker, type Reply } from '../helpers/build.js'
import { served } from './served.js'
import { WAV } from './media.js'
import { meets } from './requirements.js'
import { SHAPES } from './shapes.js'

type Asked = [method: string, params?: Record<string, unknown>]

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', MODERN]
const LEGACY_ONLY = ['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']
const checks = new Map(REVISIONS.map((r) => [r, new Map(Object.entries(SHAPES).map(([method, shape]) => [method, validator(shape(r))]))]))

const everything = tool('everything', async () => ({
  content: [
    { type: 'text', text: 'A text' },
    { type: 'audio', data: WAV, mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'test://static-text', name: 'static', title: 'A static text' }
  ],
  structuredContent: { all: true }
}), { title: 'Everything', output: { type: 'object' }, annotations: { readOnlyHint: true } })

t.test('the engine alone', async (t) => {
  meets('older-shapes', 'older-contents', 'tool-schema')
  const { app } = await served(t, { tools: [everything] })
  const asked: Asked[] = [
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
  ]
  const spoken = new Map(await Promise.all(REVISIONS.map(async (revision) => [revision, await speaker(app, 'any', revision)] as const)))
  for (const [revision, ask] of spoken) {
    const fits = (method: string, { body: { result } }: Reply) => {
      const checked = checks.get(revision)!.get(method)!(result)
      t.strictSame(checked.ok ? [] : checked.faults, [], `${method} in ${revision}`)
    }
    if (revision === MODERN) fits('server/discover', await ask('server/discover'))
    else fits('initialize', await post(app, 'any', initialize(revision)))
    for (const [method, params] of asked) if (revision !== MODERN || !LEGACY_ONLY.includes(method)) fits(method, await ask(method, params))
  }

  const kinds = async (revision: string) => {
    const { result } = (await spoken.get(revision)!('tools/call', { name: 'everything' })).body
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
