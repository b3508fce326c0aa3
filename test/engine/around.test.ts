// The hook around every call and every entry of a list.
import {
  forbidden, memoryChanges, progress, Refusal, requestInput, result,
  type McpPluginOptions, type Principal, type Prompt, type TestClientOptions
} from 'exploration-mcp/engine'
import t, { type Test } from 'tap'
import { resource, serve as serveEngine, tool, type Options } from './serve.js'

interface Person extends Principal { name: string }

const named = (name: string) => tool(name, async function * () {
  yield progress(1)
  return result({ name }, name)
})
const note = (name: string) => resource(`note://${name}`, { name, read: async () => ({ mimeType: 'text/plain', text: name }) })
const prompt = (name: string): Prompt => ({
  name, description: `The prompt ${name}.`, get: async () => ({ messages: [{ role: 'user', content: { type: 'text', text: name } }] })
})

const serve = (t: Test, around: McpPluginOptions<object, Person>['around'], options: Options<object, Person> = {}, client: TestClientOptions = {}) =>
  serveEngine<object, Person>(t, {
    tools: [named('open'), named('secret')],
    resources: [note('open'), note('secret'), resource('secret://{id}')],
    prompts: [prompt('open'), prompt('secret')],
    authenticate: async () => ({ principal: { name: 'Ada', credential: { id: 'ada', scope: 'admin' } } }),
    ...around && { around },
    ...options
  }, client)

const hidesSecrets: McpPluginOptions<object, Person>['around'] = async ({ name }, next) => {
  if (name?.includes('secret')) throw forbidden('Not for you.', 'Ask Ada.')
  return await next()
}

for (const revision of ['2025-11-25', '2026-07-28'] as const) {
  t.test(`${revision}: what it throws refuses the call and hides the entry`, async (t) => {
    const client = await serve(t, hidesSecrets, { changes: memoryChanges() }, { revision })
    t.same((await client.listTools()).tools.map(({ name }) => name), ['open'])
    t.same((await client.listResources()).resources.map(({ uri }) => uri), ['note://open'])
    t.match(await client.request('resources/templates/list'), { resourceTemplates: [] })
    t.match(await client.request('prompts/list'), { prompts: [{ name: 'open' }] })
    t.match(await client.callTool('open'), { content: [{ text: 'open' }] })
    t.match(await client.readResource('note://open'), { contents: [{ text: 'open' }] })
    t.match(await client.getPrompt('open'), { messages: [{ content: { text: 'open' } }] })
    const refusal = { code: 403, message: 'Not for you.', data: { hint: 'Ask Ada.' } }
    await t.rejects(client.callTool('secret'), refusal)
    await t.rejects(client.readResource('note://secret'), refusal)
    await t.rejects(client.getPrompt('secret'), refusal)
    await t.rejects(client.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'secret' }, argument: { name: 'x', value: '' }
    }), refusal)
    await t.rejects(client.callTool('unknown'), { message: 'There is no tool of this name. tools/list shows: open.' })
  })
}

t.test('a client does not listen to what is hidden', async (t) => {
  const changes = memoryChanges()
  const modern = await serve(t, hidesSecrets, { changes })
  const heard = await modern.listen({ resourceSubscriptions: ['note://secret', 'note://open'] })
  for (const uri of ['note://secret', 'note://open']) changes.announce({ kind: 'updated', uri })
  t.match((await heard.next()).value, { params: { uri: 'note://open' } })
  const legacy = await serve(t, hidesSecrets, { changes }, { revision: '2025-11-25' })
  await t.rejects(legacy.request('resources/subscribe', { uri: 'note://secret' }), { code: 403 })
})

t.test('it is called once for each call and for each entry, with the caller', async (t) => {
  const seen: string[] = []
  const client = await serve(t, async ({ method, name, principal }, next) => {
    seen.push(`${principal.name} ${method} ${name ?? ''}`.trim())
    return await next()
  })
  await client.listTools()
  t.same(seen.splice(0), ['Ada tools/list', 'Ada tools/list open', 'Ada tools/list secret'])
  await client.callTool('open')
  await client.readResource('note://secret')
  await client.request('server/discover')
  t.same(seen, ['Ada tools/call open', 'Ada resources/read note://secret', 'Ada server/discover'])
})

t.test('the call starts with next, and its events come before what follows', async (t) => {
  const order: string[] = []
  const work = tool('work', async function * () {
    order.push('work')
    yield progress(1)
    return result({}, 'Worked.')
  })
  const client = await serve(t, async ({ method }, next) => {
    if (method !== 'tools/call') return await next()
    order.push('before')
    const done = await next()
    order.push('after')
    return done
  }, { tools: [work] })
  await client.callTool('work', {}, { onNotification: () => { order.push('progress') } })
  t.same(order.filter((step) => step !== 'progress'), ['before', 'work', 'after'])
  t.ok(order.includes('progress'))
})

t.test('it may answer itself, or change what it returns', async (t) => {
  let runs = 0
  const counting = tool('counting', async () => result({ runs: ++runs }, 'Counted.'))
  const client = await serve(t, async ({ method, name }, next) => {
    if (method === 'tools/call' && runs > 0) return { content: [{ type: 'text', text: 'Kept.' }] }
    const returned = await next()
    return method === 'tools/list' && name !== undefined ? { ...returned, description: `For Ada: ${String(returned['description'])}` } : returned
  }, { tools: [counting] })
  t.match(await client.listTools(), { cacheScope: 'private', tools: [{ name: 'counting', description: 'For Ada: The tool counting.' }] })
  t.match([await client.callTool('counting'), await client.callTool('counting')], [{ content: [{ text: 'Counted.' }] }, { content: [{ text: 'Kept.' }] }])
  t.equal(runs, 1)
})

t.test('a refusal is one of the tool, and an error of the program is logged and says nothing', async (t) => {
  const reported: unknown[] = []
  const client = await serve(t, async ({ method, name }, next) => {
    if (method === 'tools/call') throw new Refusal('Not on Mondays.')
    if (method === 'prompts/get') throw new Refusal('Not on Tuesdays.')
    if (name === 'note://open' || method === 'resources/read') throw new TypeError('a bug')
    return await next()
  }, { onUnexpectedError: (error) => { reported.push(error) } })
  t.match(await client.callTool('open'), { isError: true, content: [{ text: 'Not on Mondays.' }] })
  await t.rejects(client.getPrompt('open'), { code: -32602, message: 'Not on Tuesdays.' })
  await t.rejects(client.readResource('note://secret'), { code: -32603, message: /^Internal error/ })
  t.same((await client.listResources()).resources.map(({ name }) => name), ['secret'], 'hidden too')
  t.equal(reported.length, 2)
})

t.test('what the call throws, it may catch; a round of input and a cancelled call end it', async (t) => {
  const ends: string[] = []
  const asking = tool('asking', async function * () {
    const { name } = yield * requestInput({
      name: { method: 'elicitation/create', params: { message: 'Name?', requestedSchema: { type: 'object', properties: {} } } }
    })
    if (name['action'] !== 'accept') throw new Refusal('Without a name.')
    throw new TypeError('a bug')
  })
  const around: McpPluginOptions<object, Person>['around'] = async (_, next) => {
    try {
      return await next()
    } catch (error) {
      ends.push(String(error))
      if (error instanceof TypeError) return { content: [{ type: 'text', text: 'Caught.' }] }
      throw error
    }
  }
  const client = await serve(t, around, { tools: [asking] }, { answer: () => ({ action: 'accept', content: {} }) })
  t.match(await client.callTool('asking'), { content: [{ text: 'Caught.' }] })
  t.same(ends, ['Error: The call ended before its result.', 'TypeError: a bug'])
})
