/** Views of tools (MCP Apps): who declares the extension sees them, in both eras; for all others nothing is different. */
import { readFileSync } from 'node:fs'
import { result, REVISIONS, VIEW_MIME_TYPE, type JsonObject, type Resource, type Revision, type Tool } from 'exploration-mcp/engine'
import t, { type Test } from 'tap'
import { SERVER } from '../../src/config/server-info.js'
import { meets } from '../conformance/requirements.js'
import { build, initialize, modern, post, speaker } from '../helpers/build.js'
import { serveApp, type Options } from './serve.js'

const VIEWS = 'io.modelcontextprotocol/ui'
const DECLARED = { extensions: { [VIEWS]: { mimeTypes: [VIEW_MIME_TYPE] } } }

interface ReviewedTool { name: string, title: string, description: string, inputSchema: object, outputSchema: object, annotations: object }
/** `npm run fresh` writes the file; a change of a tool shows in its diff. */
const REVIEWED: ReviewedTool[] = JSON.parse(readFileSync(new URL('../planning/tools/tools-list.json', import.meta.url), 'utf8'))

const roll: Tool = {
  name: 'roll',
  description: 'Rolls a die.',
  input: { type: 'object' },
  view: { resourceUri: 'ui://dice/table' },
  _meta: { 'dice/kind': 'fair' },
  run: async () => result({ rolled: 4 }, 'It shows 4.')
}
const rollAgain: Tool = { ...roll, name: 'roll_again', view: { resourceUri: 'ui://dice/table', visibility: ['app'] } }
const plain: Tool = { name: 'plain', description: 'Has no view.', input: { type: 'object' }, run: roll.run }
const table: Resource = {
  template: 'ui://dice/table',
  name: 'table',
  mimeType: VIEW_MIME_TYPE,
  ttlMs: 0,
  view: { csp: {}, prefersBorder: true },
  read: async () => ({ mimeType: VIEW_MIME_TYPE, text: '<!doctype html><title>Table</title>' })
}
const note: Resource = {
  template: 'dice://note', name: 'note', mimeType: 'text/plain', ttlMs: 0, read: async () => ({ mimeType: 'text/plain', text: 'A note.' })
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- results of any method
type Call = (method: string, params?: Record<string, unknown>) => Promise<any>

/** Calls of a client with these capabilities; `opening` is what the server says of itself. */
const connect = async (t: Test, revision: Revision, capabilities: JsonObject, options: Options = {}): Promise<Call> => {
  const app = await serveApp(t, { tools: [roll, rollAgain, plain], resources: [note, table], ...options })
  const ask = await speaker(app, undefined, revision, capabilities)
  return async (method, params) => {
    const isHandshake = method === 'opening' && revision !== '2026-07-28'
    const { body } = isHandshake
      ? await post<{ result: unknown }>(app, undefined, initialize(revision, capabilities))
      : await ask<{ result: unknown }>(method === 'opening' ? 'server/discover' : method, params)
    return body.result
  }
}

for (const revision of REVISIONS) {
  t.test(`${revision}: a client that declares views`, async (t) => {
    meets('extension-fallback')
    const call = await connect(t, revision, DECLARED)
    t.same((await call('opening')).capabilities.extensions, { [VIEWS]: {} })
    const { tools, cacheScope } = await call('tools/list')
    t.equal(cacheScope, revision >= '2026' ? 'private' : undefined, 'a cache shares only what is for all')
    const own = { 'dice/kind': 'fair', 'ui/resourceUri': 'ui://dice/table' }
    t.same(tools.map(({ name, _meta }: Tool) => ({ name, _meta })), [
      { name: 'roll', _meta: { ...own, ui: { resourceUri: 'ui://dice/table' } } },
      { name: 'roll_again', _meta: { ...own, ui: { resourceUri: 'ui://dice/table', visibility: ['app'] } } },
      { name: 'plain', _meta: undefined }
    ])
    const view = { uri: 'ui://dice/table', mimeType: VIEW_MIME_TYPE, _meta: { ui: { csp: {}, prefersBorder: true } } }
    t.same((await call('resources/list')).resources[1], { ...view, name: 'table' })
    t.same((await call('resources/read', { uri: 'ui://dice/table' })).contents, [{ ...view, text: '<!doctype html><title>Table</title>' }])
    t.equal((await call('tools/call', { name: 'roll_again', arguments: {} })).content[0].text, 'It shows 4.')
  })
}

for (const revision of ['2025-11-25', '2026-07-28'] as const) {
  t.test(`${revision}: for a client that does not declare them, all is as without views`, async (t) => {
    const { view, ...bare } = roll
    for (const capabilities of [{}, { extensions: {} }, { extensions: { [VIEWS]: { mimeTypes: ['text/uri-list'] } } }, { extensions: 1 }]) {
      const with_ = await connect(t, revision, capabilities)
      const without = await connect(t, revision, capabilities, { tools: [bare, plain], resources: [note] })
      for (const method of ['opening', 'tools/list', 'resources/list', 'resources/templates/list']) {
        t.equal(JSON.stringify(await with_(method)), JSON.stringify(await without(method)), `${method} for ${JSON.stringify(capabilities)}`)
      }
    }
  })
}

t.test('a server without views declares none, and a long declaration of a client keeps its extensions', async (t) => {
  const bare = await connect(t, '2026-07-28', DECLARED, { tools: [plain], resources: [note] })
  t.same((await bare('opening')).capabilities.extensions, undefined)
  t.equal((await bare('tools/list')).cacheScope, 'public')
  const long = await connect(t, '2025-11-25', { ...DECLARED, experimental: { filler: 'x'.repeat(3000) } })
  t.ok((await long('tools/list')).tools[0]._meta.ui)
})

/** The reviewed tools, in the order and form in which a client without views gets them in this revision. */
const toolsIn = (revision: string): string => JSON.stringify(revision >= '2025-06-18'
  ? REVIEWED
  : REVIEWED.map(({ title, outputSchema, annotations, ...tool }) =>
    ({ ...tool, ...(revision >= '2025-03-26' && { annotations: { ...annotations, title } }) })))

t.test('the product: tools/list of a client without views is, byte for byte, the reviewed list', async (t) => {
  const { app, key } = await build(t)
  for (const revision of REVISIONS.slice(0, -1)) {
    const { text } = await (await speaker(app, key, revision))('tools/list')
    t.equal(text, `{"jsonrpc":"2.0","id":1,"result":{"tools":${toolsIn(revision)}}}`, revision)
  }
  const { text } = await modern(app, key, 'tools/list')
  const server = JSON.stringify({ 'io.modelcontextprotocol/serverInfo': SERVER })
  t.equal(text, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":${toolsIn('2026-07-28')},` +
    `"ttlMs":300000,"cacheScope":"public","_meta":${server}}}`)
})
