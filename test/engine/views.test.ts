/** Views of tools (MCP Apps): who declares the extension sees them, in both eras; for all others nothing is different. */
import { result, REVISIONS, VIEW_MIME_TYPE, type JsonObject, type Revision, type Tool } from 'exploration-mcp/engine'
import t, { type Test } from 'tap'
import { meets } from '../conformance/requirements.js'
import { initialize, post, speaker, type Rpc } from '../helpers/build.js'
import { resource, serveApp, tool, type Options } from './serve.js'

const VIEWS = 'io.modelcontextprotocol/ui'
const DECLARED = { extensions: { [VIEWS]: { mimeTypes: [VIEW_MIME_TYPE] } } }

const roll = tool('roll', async () => result({ rolled: 4 }, 'It shows 4.'), { view: { resourceUri: 'ui://dice/table' }, _meta: { 'dice/kind': 'fair' } })
const rollAgain: Tool<never> = { ...roll, name: 'roll_again', view: { resourceUri: 'ui://dice/table', visibility: ['app'] } }
const plain = tool('plain', roll.run)
const table = resource('ui://dice/table', {
  name: 'table',
  mimeType: VIEW_MIME_TYPE,
  view: { csp: {}, prefersBorder: true },
  read: async () => ({ mimeType: VIEW_MIME_TYPE, text: '<!doctype html><title>Table</title>' })
})
const note = resource('dice://note')

type Call = (method: string, params?: Record<string, unknown>) => Promise<Rpc['result']>

/** Calls of a client with these capabilities; `opening` is what the server says of itself. */
const connect = async (t: Test, revision: Revision, capabilities: JsonObject, options: Options = {}): Promise<Call> => {
  const app = await serveApp(t, { tools: [roll, rollAgain, plain], resources: [note, table], ...options })
  const ask = await speaker(app, undefined, revision, capabilities)
  return async (method, params) => {
    const isHandshake = method === 'opening' && revision !== '2026-07-28'
    const { body } = isHandshake
      ? await post(app, undefined, initialize(revision, capabilities))
      : await ask(method === 'opening' ? 'server/discover' : method, params)
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
