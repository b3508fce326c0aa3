// What the engine does for the author of a server: it refuses wrong declarations, and asks no client what it cannot do.
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import { memoryChanges, Refusal, requestInput, type InputRequest, type Tool } from 'exploration-mcp/engine'
import { tools as productTools } from '../../src/planning/tools/index.js'
import { serveApp, tool, type Options } from '../engine/serve.js'
import { able, bothEras, initialize, modern, post, speaker } from '../helpers/build.js'
import { session, wire } from '../helpers/wire.js'
import { served } from './served.js'
import { meets } from './requirements.js'
import { tools } from './tools.js'

type Asks = Awaited<ReturnType<typeof speaker>>

const quiet = (input: object): Tool<never> => tool('quiet', async () => ({ content: [] }), { input: { type: 'object', ...input } })

const engine = (t: Test, options: Options) => serveApp(t, {
  authenticate: async () => ({ principal: { credential: { id: 'any', scope: 'read' } } }), onUnexpectedError: () => {}, ...options
})

t.test('schemas', async (t) => {
  await t.test('those of the product are valid', async (t) => {
    meets('schemas-valid')
    const root = new URL('../../schemas/', import.meta.url)
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    t.ok(files.length > 30)
    // To compile them all takes a second, and each of the product is compiled by the test of what it checks.
    const schemas = new Ajv2020({ keywords: ['x-mcp-header'], strictTypes: false })
    for (const file of files) {
      const content = JSON.parse(readFileSync(new URL(file, root), 'utf8'))
      // Those of operations are one file for each family.
      for (const schema of /^(?:operations|platform-api)\//.test(file) ? Object.values<object>(content) : [content]) {
        t.equal(schemas.validateSchema(schema), true, file)
      }
    }
    for (const { name, input, output } of [...productTools, ...tools]) {
      for (const schema of [input, output]) if (schema) t.equal(schemas.validateSchema(schema), true, name)
    }
    await t.rejects(engine(t, { tools: [quiet({ properties: { n: { type: 'number', minimum: 'one' } } })] }), 'an invalid one is refused at the start')
  })

  await t.test('another dialect is refused by its name', async (t) => {
    meets('schema-dialect')
    const $schema = 'http://json-schema.org/draft-07/schema#'
    await t.rejects(engine(t, { tools: [quiet({ $schema })] }), { message: new RegExp(`${$schema}.*not supported.*2020-12`) })
    await engine(t, { tools: [quiet({ $schema: 'https://json-schema.org/draft/2020-12/schema' })] })
  })

  await t.test('wrong annotations of mirrored parameters are refused', async (t) => {
    meets('header-annotations')
    const header = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name })
    const wrong: Array<[input: object, says: RegExp]> = [
      [{ properties: { a: header('') } }, /token/],
      [{ properties: { a: header('two words') } }, /token/],
      [{ properties: { a: header('line\r\nbreak') } }, /token/],
      [{ properties: { a: header(5) } }, /token/],
      [{ properties: { a: header('Region'), b: { type: 'object', properties: { c: header('REGION') } } } }, /twice/],
      [{ properties: { a: header('A', 'object') } }, /string, integer or boolean/],
      [{ properties: { a: header('A', 'number') } }, /string, integer or boolean/],
      [{ properties: { a: { 'x-mcp-header': 'A' } } }, /string, integer or boolean/],
      [{ properties: { a: { type: 'array', items: header('A') } } }, /properties/],
      [{ anyOf: [{ properties: { a: header('A') } }] }, /properties/],
      [{ properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: header('A') } }, /properties/],
      [{ if: { properties: { a: header('A') } } }, /properties/]
    ]
    for (const [input, says] of wrong) await t.rejects(engine(t, { tools: [quiet(input)] }), { message: says }, JSON.stringify(input))
    await engine(t, {
      tools: [quiet({
        properties: {
          a: header('A'), b: header('B', 'integer'), c: header('C', ['boolean', 'null']), d: { type: 'object', properties: { e: header('E') } }
        },
        examples: [{ 'x-mcp-header': 'no schema, but an example' }]
      })]
    })
  })
})

t.test('a client is asked only in the modes that it declared', async (t) => {
  meets('input-mode', 'mrtr-capable')
  const asks = (name: string, method: InputRequest['method'], params: Record<string, unknown>) => tool(name, async function * () {
    yield * requestInput({ question: { method, params } })
    return { content: [{ type: 'text', text: 'answered' }] }
  })
  const messages = [{ role: 'user', content: { type: 'text', text: 'x' } }]
  const app = await engine(t, {
    tools: [
      asks('form', 'elicitation/create', { mode: 'form', message: 'x', requestedSchema: { type: 'object', properties: {} } }),
      asks('plain', 'elicitation/create', { message: 'x', requestedSchema: { type: 'object', properties: {} } }),
      asks('url', 'elicitation/create', { mode: 'url', message: 'x', url: 'https://example.com/', elicitationId: 'e' }),
      asks('sampling', 'sampling/createMessage', { messages, maxTokens: 1 }),
      asks('tools', 'sampling/createMessage', { messages, maxTokens: 1, tools: [{ name: 'x', inputSchema: { type: 'object' } }] }),
      asks('choice', 'sampling/createMessage', { messages, maxTokens: 1, toolChoice: { mode: 'auto' } })
    ],
    secrets: ['a secret of the tests, long enough to be one']
  })
  const expected: Array<[capabilities: object, asked: string[]]> = [
    [{}, []],
    [{ elicitation: {} }, ['form', 'plain']],
    [{ elicitation: { form: {} } }, ['form', 'plain']],
    [{ elicitation: { url: {} } }, ['url']],
    [{ elicitation: { form: {}, url: {} } }, ['form', 'plain', 'url']],
    [{ elicitation: { url: true } }, ['form', 'plain']],
    [{ sampling: {} }, ['sampling']],
    [{ sampling: { tools: {} } }, ['sampling', 'tools', 'choice']]
  ]
  const missing: Record<string, object> = {
    url: { elicitation: { url: {} } }, tools: { sampling: { tools: {} } }, choice: { sampling: { tools: {} } }
  }
  const client = await wire(t, app, 'any')
  for (const [capabilities, asked] of expected) {
    const headers = await session(client, '2025-11-25', capabilities)
    for (const name of ['form', 'plain', 'url', 'sampling', 'tools', 'choice']) {
      const label = `${name} of ${JSON.stringify(capabilities)}`
      const { body } = await modern(app, 'any', 'tools/call', { name, _meta: able(capabilities) })
      const old = await client.post({ id: 5, method: 'tools/call', params: { name } }, headers)
      const first = await old.message()
      await (await client.post({ method: 'notifications/cancelled', params: { requestId: 5 } }, headers)).rest()
      await old.rest()
      if (asked.includes(name)) {
        t.equal(body.result['resultType'], 'input_required', label)
        t.match(first?.method, /^(?:elicitation|sampling)\//, label)
      } else {
        t.equal(body.error.code, -32021, label)
        t.equal(first?.error?.code, -32602, label)
        const needed = body.error.data?.['requiredCapabilities']
        t.strictSame(first?.error?.data?.['requiredCapabilities'], needed, label)
        if (Object.keys(capabilities).length > 0 && missing[name]) t.strictSame(needed, missing[name], label)
      }
    }
  }
})

t.test('answers that are no answers', async (t) => {
  meets('input-responses')
  const { app } = await served(t)
  for (const inputResponses of [5, 'x', [], null, true]) {
    const params = { name: 'test_input_required_result_elicitation', inputResponses, _meta: able({ elicitation: {} }) }
    t.equal((await modern(app, 'any', 'tools/call', params)).body.error.code, -32602, JSON.stringify(inputResponses))
  }
})

t.test('the answer to a URL has no content: 2026-07-28 client/elicitation#response-actions', async (t) => {
  const question = { method: 'elicitation/create', params: { mode: 'url', message: 'x', url: 'https://example.com/', elicitationId: 'e' } } as const
  const asks = (name: string, isTask: boolean) => tool(name, async function * () {
    if (isTask) yield { kind: 'task', required: true }
    const { key } = yield * requestInput({ key: question })
    return { content: [{ type: 'text', text: JSON.stringify(key) }] }
  })
  const app = await engine(t, { tools: [asks('now', false), asks('later', true)], tasks: true })
  const capabilities = { elicitation: { url: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } }
  const send = async (method: string, params: object) => (await modern(app, 'any', method, { ...params, _meta: able(capabilities) })).body.result
  const client = await wire(t, app, 'any')
  const headers = await session(client, '2025-11-25', capabilities)

  for (const action of ['accept', 'decline', 'cancel']) {
    const answered = { content: [{ text: JSON.stringify({ action }) }] }
    const { requestState } = await send('tools/call', { name: 'now' })
    t.match(await send('tools/call', { name: 'now', requestState, inputResponses: { key: { action } } }), { resultType: 'complete', ...answered })

    const stream = await client.post({ id: action, method: 'tools/call', params: { name: 'now' } }, headers)
    const asked = await stream.message()
    t.equal((await client.post({ id: asked!.id, result: { action } }, headers)).status, 202)
    t.match((await stream.message())?.result, answered)

    const { taskId } = await send('tools/call', { name: 'later' })
    const reach = async (status: string) => {
      for (;;) {
        const task = await send('tasks/get', { taskId })
        if (task['status'] === status) return task
        await new Promise(setImmediate)
      }
    }
    await reach('input_required')
    await send('tasks/update', { taskId, inputResponses: { key: { action } } })
    t.match((await reach('completed'))['result'], answered)
  }
})

t.test('only a call of a tool becomes a task: SEP-2663, supported methods', async (t) => {
  const app = await engine(t, {
    tasks: true,
    prompts: [{
      name: 'long',
      description: 'Takes long.',
      async * get () {
        yield { kind: 'task' }
        return { messages: [] }
      }
    }]
  })
  const _meta = able({ extensions: { 'io.modelcontextprotocol/tasks': {} } })
  t.match((await modern(app, 'any', 'prompts/get', { name: 'long', _meta })).body.result, { resultType: 'complete', messages: [] })
})

t.test('what an author refuses is the mistake of the client, and what breaks is one of the server, which says nothing', async (t) => {
  meets('prompt-errors', 'internal-error')
  const refuse = async (): Promise<never> => { throw new Refusal('No such city.') }
  const breaks = async (): Promise<never> => { throw new Error('password=hunter2') }
  for (const [work, error] of [[refuse, { code: -32602, message: 'No such city.' }], [breaks, { code: -32603, message: /^Internal error/ }]] as const) {
    const app = await engine(t, {
      ...work === refuse && { onUnexpectedError: (unexpected) => { t.fail(String(unexpected)) } },
      changes: memoryChanges(),
      tools: [tool('broken', breaks)],
      prompts: [
        { name: 'later', description: 'Refuses.', arguments: [{ name: 'city' }], get: work, complete: work },
        {
          name: 'steps',
          description: 'Refuses after a step.',
          async * get () {
            yield { kind: 'progress', progress: 1 }
            return await work()
          }
        }
      ],
      resources: [{ template: 'x://{city}', name: 'city', mimeType: 'text/plain', ttlMs: 0, read: work, complete: work, list: work }]
    })
    const calls: Array<[string, Record<string, unknown>]> = [
      ['prompts/get', { name: 'later' }], ['prompts/get', { name: 'steps' }], ['resources/read', { uri: 'x://here' }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'later' }, argument: { name: 'city', value: '' } }],
      ['completion/complete', { ref: { type: 'ref/resource', uri: 'x://{city}' }, argument: { name: 'city', value: '' } }],
      ...work === breaks ? [['tools/call', { name: 'broken' }], ['resources/list', {}]] as Array<[string, Record<string, unknown>]> : []
    ]
    const [old, young] = await bothEras(app, 'any') as [Asks, Asks]
    for (const [method, params] of calls) {
      for (const ask of [old, young]) {
        const { text } = await ask(method, params)
        t.match(JSON.parse(text.replace(/^[^]*data: /, '')), { error }, method)
        t.notMatch(text, 'hunter2', method)
      }
    }
    t.match((await old('resources/subscribe', { uri: 'x://here' })).body, { error })
    t.match((await young('subscriptions/listen', { notifications: { resourceSubscriptions: ['x://here'] } })).body, { error })
  }
})

t.test('an argument that a header mirrors agrees with it; without a value there is no header', async (t) => {
  meets('param-absent', 'headers-decoded', 'headers-characters')
  const app = await engine(t, {
    tools: [quiet({ properties: { region: { type: ['string', 'null'], 'x-mcp-header': 'Region' } } })]
  })
  const status = async (args: object, header?: string) =>
    (await modern(app, 'any', 'tools/call', { name: 'quiet', arguments: args }, { 'mcp-param-region': header })).status
  for (const args of [{}, { region: null }]) {
    t.equal(await status(args), 200, JSON.stringify(args))
    t.equal(await status(args, ''), 400, JSON.stringify(args))
    t.equal(await status(args, 'null'), 400, JSON.stringify(args))
  }
  const encoded = Buffer.from('eu').toString('base64')
  const long = `=?base64?${Buffer.from('Zürich').toString('base64')}?=`
  for (const [region, header, expected] of [
    ['eu', 'eu', 200], ['eu', `=?base64?${encoded}?=`, 200], ['Zürich', long, 200],
    ['eu', undefined, 400], ['eu', 'us', 400], ['eu', '=?base64?ZXU?=', 400], ['Zürich', 'Zürich', 400]
  ] as const) t.equal(await status({ region }, header), expected, `${region} as ${header}`)
  t.equal(await status({ region: `=?BASE64?${encoded}?=` }, `=?BASE64?${encoded}?=`), 200, 'other marks are text')
  t.equal(await status({ region: 'eu' }, `=?BASE64?${encoded}?=`), 400)
})

t.test('names of keys of _meta and of extensions', async (t) => {
  meets('meta-names')
  const { app } = await served(t)
  const label = '[a-zA-Z](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?'
  const key = new RegExp(`^(?:${label}(?:\\.${label})*/)?[a-zA-Z0-9](?:[a-zA-Z0-9_.-]*[a-zA-Z0-9])?$`)
  const names = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      if (['_meta', 'extensions'].includes(name)) for (const each of Object.keys(inner as object)) names.add(each)
      collect(inner)
    }
  }
  for (const method of ['server/discover', 'tools/list', 'resources/list', 'prompts/list']) {
    collect((await modern(app, 'any', method)).body)
  }
  collect(productTools)
  t.ok(names.has('io.modelcontextprotocol/serverInfo') && names.has('io.modelcontextprotocol/tasks'), [...names].join(', '))
  for (const name of names) t.match(name, key)
})

t.test('metadata of a task of 2025-11-25, which is not declared, is ignored', async (t) => {
  meets('task-metadata-ignored')
  const { app } = await served(t)
  const opening = await post(app, 'any', initialize('2025-11-25', { tasks: {} }))
  t.notOk('tasks' in opening.body.result.capabilities)
  const ask = await speaker(app, 'any', '2025-11-25', { tasks: {} })
  const plain = await ask('tools/call', { name: 'test_simple_text' })
  t.ok(plain.body.result['content'])
  t.strictSame((await ask('tools/call', { name: 'test_simple_text', task: { ttl: 60_000 } })).body, plain.body)
})

t.test('prompts: declared, got, completed', async (t) => {
  meets('prompts-declared', 'prompt-errors')
  const { app } = await served(t)
  const [old, young] = await bothEras(app, 'any') as [Asks, Asks]
  t.match((await young('server/discover')).body.result['capabilities'], { prompts: {}, tools: {}, resources: {}, completions: {} })
  const name = 'test_prompt_with_arguments'
  t.strictSame((await old('prompts/get', { name, arguments: { arg1: 'a', arg2: 'b' } })).body.result,
    { messages: [{ role: 'user', content: { type: 'text', text: "Prompt with arguments: arg1='a', arg2='b'" } }] })
  const completing = (of: string) => ({ ref: { type: 'ref/prompt', name: of }, argument: { name: 'arg1', value: 'par' } })
  t.match((await young('completion/complete', completing(name))).body.result['completion'], { values: ['paris', 'party'], hasMore: false })
  for (const ask of [old, young]) {
    for (const params of [{ name, arguments: { arg1: 'a' } }, { name: 'nothing' }, { name, arguments: { arg1: 1 } }, {}]) {
      t.equal((await ask('prompts/get', params)).body.error.code, -32602)
    }
    t.equal((await ask('completion/complete', completing('nothing'))).body.error.code, -32602)
  }
})
