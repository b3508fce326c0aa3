// defineTool: types by schemas, schemas of libraries, and results that have to fit.
import {
  defineTool, progress, Refusal, result,
  type LibrarySchema, type McpPluginOptions, type Principal, type RequestContext, type TestClientOptions
} from 'exploration-mcp/engine'
import t, { type Test } from 'tap'
import { serve as serveEngine, tool, type Options } from '../serve.js'

const serve = async (t: Test, tools: NonNullable<McpPluginOptions['tools']>, options: Options = {}, client: TestClientOptions = {}) => {
  const reported: string[] = []
  const onUnexpectedError = (error: unknown) => { reported.push(String(error)) }
  return { client: await serveEngine(t, { tools, onUnexpectedError, ...options }, client), reported }
}

const roll = defineTool({
  name: 'roll',
  description: 'Rolls dice.',
  input: {
    type: 'object',
    properties: { sides: { type: 'integer', minimum: 2, default: 6 }, label: { type: 'string', 'x-mcp-header': 'Label' } },
    required: ['label'],
    additionalProperties: false
  },
  output: { type: 'object', properties: { rolled: { type: 'integer' }, kind: { enum: ['fair', 'loaded'] } }, required: ['rolled', 'kind'] }
}, async ({ sides, label }) => {
  // The types are those of the schema, defaults filled in.
  const typed: [number, string] = [sides, label]
  return result({ rolled: typed[0], kind: 'fair' }, label)
})

t.test('arguments and results have the types of the schemas', async (t) => {
  const input = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false } as const
  const output = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false } as const
  // @ts-expect-error a number is no string
  defineTool({ name: 'x', description: 'x', input }, async ({ n }) => result({}, n))
  // @ts-expect-error there is no such argument
  defineTool({ name: 'x', description: 'x', input }, async ({ m }) => result({}, String(m)))
  // @ts-expect-error the result has a number
  defineTool({ name: 'x', description: 'x', input, output }, async () => result({ n: 'one' }, 'one'))
  // @ts-expect-error arguments are an object
  defineTool({ name: 'x', description: 'x', input: { type: 'string' } }, async () => result({}, 'x'))

  const { client } = await serve(t, [roll])
  t.match((await client.callTool('roll', { label: 'Six' })).structuredContent, { rolled: 6, kind: 'fair' })
  t.match(await client.callTool('roll', { label: 'One', sides: 1 }), { isError: true, content: [{ text: /sides must be at least 2/ }] })
  const { tools: [listed] } = await client.listTools()
  t.match(listed, { name: 'roll', inputSchema: { properties: { label: { 'x-mcp-header': 'Label' } } } })
})

t.test('a tool without arguments, one that streams, and one that needs what the server adds', async (t) => {
  interface Person extends Principal { name: string }
  const greet = defineTool({ name: 'greet', description: 'Greets.' }, async (_, { principal, greeting }: RequestContext<Person> & { greeting: string }) =>
    result({}, `${greeting}, ${principal.name}!`))
  const count = defineTool({ name: 'count', description: 'Counts.' }, async function * () {
    yield progress(1)
    return result({}, 'One.')
  })
  const client = await serveEngine<{ greeting: string }, Person>(t, {
    tools: [greet, count],
    services: { greeting: 'Hello' },
    authenticate: async () => ({ principal: { name: 'Ada', credential: { id: 'ada', scope: 'read' } } })
  })
  t.match(await client.callTool('greet'), { content: [{ text: 'Hello, Ada!' }] })
  t.match(await client.callTool('greet', { loudly: true }), { isError: true })
  t.match(await client.callTool('count'), { content: [{ text: 'One.' }] })
})

const COUNTED = { output: { type: 'object', properties: { counted: { type: 'integer' } }, required: ['counted'] } } as const
const wrong = tool('wrong', async () => result({ counted: 'many' }, 'Many.'), COUNTED)

for (const revision of ['2025-11-25', '2026-07-28'] as const) {
  t.test(`${revision}: a result that does not fit its schema is an error of the program`, async (t) => {
    const streaming = tool('streaming', async function * () {
      yield progress(1)
      return result({}, 'Nothing.')
    }, COUNTED)
    const silent = tool('silent', async () => ({ content: [] }), COUNTED)
    const { client, reported } = await serve(t, [wrong, streaming, silent], {}, { revision })
    for (const name of ['wrong', 'streaming', 'silent']) await t.rejects(client.callTool(name), { code: -32603, message: /^Internal error/ })
    t.same(reported, [
      'Error: The result of the tool wrong does not fit its output schema: counted must be an integer.',
      'Error: The result of the tool streaming does not fit its output schema: counted is required.',
      'Error: The result of the tool silent does not fit its output schema: the value must be an object.'
    ])
  })
}

t.test('what is not checked', async (t) => {
  const { client } = await serve(t, [wrong], { checkToolResults: false })
  t.match(await client.callTool('wrong'), { structuredContent: { counted: 'many' } })
  const failing = tool('wrong', async () => { throw new Refusal('Not today.') }, COUNTED)
  t.match(await (await serve(t, [failing])).client.callTool('wrong'), { isError: true, content: [{ text: 'Not today.' }] })
})

t.test('a check changes nothing', async (t) => {
  const output = { type: 'object', properties: { counted: { type: 'integer' }, more: { type: 'string', default: 'x' } } } as const
  const { client } = await serve(t, [{ ...wrong, output, run: async () => result(Object.freeze({ counted: 1 }), 'One.') }])
  t.same((await client.callTool('wrong')).structuredContent, { counted: 1 }, 'no default is filled in')
})

/** What a library that has both standards does, in a few lines: a count of at least `least`, 1 by default. */
const counting = (least: number, { later = false } = {}): LibrarySchema<{ count?: number }, { count: number, doubled: number }> => ({
  '~standard': {
    version: 1,
    vendor: 'lines',
    validate (value) {
      const { count = 1 } = value as { count?: number }
      const checked = count >= least
        ? { value: { count, doubled: 2 * count } }
        : { issues: [{ message: `expected at least ${least}`, path: [{ key: 'count' }] }] }
      return later ? Promise.resolve(checked) : checked
    },
    jsonSchema: {
      input: () => ({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: { count: { type: 'integer' } } }),
      output: () => ({ type: 'object', required: ['count', 'doubled'] })
    }
  }
})

for (const later of [false, true]) {
  t.test(`schemas of a library that checks ${later ? 'later' : 'at once'}`, async (t) => {
    const count = defineTool({
      name: 'count', description: 'Counts.', input: counting(1, { later }), output: counting(2, { later })
    }, async function * ({ count, doubled }) {
      const typed: number = count + doubled
      yield progress(1)
      return result({ count }, String(typed))
    })
    const { client, reported } = await serve(t, [count])
    t.match((await client.listTools()).tools, [{
      inputSchema: { type: 'object', properties: { count: { type: 'integer' } } }, outputSchema: { required: ['count', 'doubled'] }
    }])
    t.match(await client.callTool('count', { count: 3 }), { structuredContent: { count: 3, doubled: 6 }, content: [{ text: '9' }] })
    t.match(await client.callTool('count', { count: 0 }), {
      isError: true, content: [{ text: 'Invalid arguments for count: count: expected at least 1.' }]
    })
    await t.rejects(client.callTool('count', {}), { code: -32603 })
    t.match(reported, [/does not fit its output schema: count: expected at least 2/])
  })
}

t.test('a library that gives no JSON Schema, or one of no object', async (t) => {
  const { validate } = counting(1)['~standard']
  const old = { '~standard': { version: 1, vendor: 'old', validate } } as LibrarySchema
  t.throws(() => defineTool({ name: 'x', description: 'x', input: old }, async () => result({}, '')), /gives no JSON Schema. Use zod 4.2/)
  const text: LibrarySchema<string, string> = { '~standard': { ...counting(1)['~standard'], types: undefined, jsonSchema: { input: () => ({ type: 'string' }), output: () => ({}) } } }
  await t.rejects(serve(t, [defineTool({ name: 'x', description: 'x', input: text }, async () => result({}, ''))]), /The input schema of the tool "x" is not of an object/)
})

t.test('results that are not objects: 2026-07-28 has them, and older revisions get the text', async (t) => {
  const list = defineTool({ name: 'list', description: 'Lists.', output: { type: 'array', items: { type: 'integer' } } }, async () => result([1, 2], '1, 2'))
  const none = defineTool({ name: 'none', description: 'None.', output: { type: 'null' } }, async () => result(null, 'None.'))
  const modern = await serve(t, [list, none])
  t.match((await modern.client.listTools()).tools, [{ outputSchema: { type: 'array' } }, { outputSchema: { type: 'null' } }])
  t.same((await modern.client.callTool<number[]>('list')).structuredContent, [1, 2])
  t.equal((await modern.client.callTool<null>('none')).structuredContent, null)
  const older = await serve(t, [list, none], {}, { revision: '2025-11-25' })
  t.same((await older.client.listTools()).tools.map(({ outputSchema }) => outputSchema), [undefined, undefined])
  t.same(await older.client.callTool('list'), { content: [{ type: 'text', text: '1, 2' }] })
})

t.test('metadata of a result, beside the note of the server', async (t) => {
  const tool = defineTool({ name: 'x', description: 'x' }, async () => ({ ...result({}, 'x'), _meta: { 'example.com/cost': 3 } }))
  const { client } = await serve(t, [tool], { dataNote: { 'example.com/note': 'data' } })
  t.match(await client.callTool('x'), { _meta: { 'example.com/cost': 3, 'example.com/note': 'data' } })
})

t.test('formats are annotations, and a schema of the same id may come again', async (t) => {
  const tool = () => defineTool({
    name: 'x', description: 'x', input: { $id: 'https://example.com/x', type: 'object', properties: { mail: { type: 'string', format: 'email' } } }
  }, async ({ mail = 'none' }) => result({}, mail))
  for (let n = 0; n < 2; n++) t.match(await (await serve(t, [tool()])).client.callTool('x', { mail: 'any' }), { content: [{ text: 'any' }] })
})
