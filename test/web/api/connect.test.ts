// Connecting coding agents, and deciding about those that wait for a token.
import t from 'tap'
import { agents, manualAgents } from '../../../src/agent-setup/registry/known-agents.js'
import type { ResponseOf } from '../../../src/administration/operation.js'
import type { Operations } from '../../../src/administration/operations.js'
import { fillLink } from '../../../src/administration/views/fill-link.js'
import { webServer } from '../../helpers/web.js'

type Connect = ResponseOf<Operations['GET /connect']>

const server = await webServer(t, { publicUrl: 'https://plans.example.com' })
const { backend } = server
const narrow = await server.signIn(server.narrow.id)
const wide = await server.signIn(server.wide.id)
const ENDPOINT = 'https://plans.example.com/mcp'
const SECRET = 'svc_pat_TEST'

const { body } = await narrow.call<Connect>('GET', '/connect')
const guide = (id: string) => body.agents.find((agent) => agent.id === id)

t.test('a guide for each agent that init knows, of this deployment, with a placeholder for the secret', async (t) => {
  t.equal(body.endpoint, ENDPOINT)
  t.equal(body.init_command, `npx exploration-mcp init --url ${ENDPOINT}`)
  t.same(body.agents.map(({ id }) => id), [...agents, ...manualAgents].map(({ id }) => id))
  for (const { id, snippet, config_file: file } of body.agents) {
    if (snippet === null) continue
    t.match(snippet, ENDPOINT, id)
    t.match(snippet, '<secret>', id)
    t.notMatch(snippet, 'svc_pat_NEW', id)
    t.match(file, /^~\//, id)
  }
  t.equal(guide('claude-code')?.command, `claude mcp add --scope user --transport http exploration ${ENDPOINT} --header "Authorization: Bearer <secret>"`)
})

t.test('links: https ones never have the secret; native ones are filled in by the browser', async (t) => {
  for (const { id, link, secret_link: template } of body.agents) {
    t.notMatch(link ?? '', /secret/i, id)
    if (template) t.notMatch(template.before, /^https?:/, id)
  }
  const cursor = new URL(guide('cursor')?.link ?? '')
  t.equal(cursor.protocol, 'cursor:')
  t.same(JSON.parse(Buffer.from(cursor.searchParams.get('config') ?? '', 'base64').toString()), {
    // eslint-disable-next-line no-template-curly-in-string -- a placeholder of Cursor
    url: ENDPOINT, headers: { Authorization: 'Bearer ${env:EXPLORATION_MCP_TOKEN}' }
  })
  const filled = new URL(fillLink(guide('cursor')!.secret_link!, SECRET))
  t.same(JSON.parse(Buffer.from(filled.searchParams.get('config') ?? '', 'base64').toString()), { url: ENDPOINT, headers: { Authorization: `Bearer ${SECRET}` } })
  const code = fillLink(guide('vscode')!.secret_link!, SECRET)
  t.match(code, /^vscode:mcp\/install\?/)
  t.same(JSON.parse(decodeURIComponent(code.slice(code.indexOf('?') + 1))), { name: 'exploration', type: 'http', url: ENDPOINT, headers: { Authorization: `Bearer ${SECRET}` } })
  t.match(decodeURIComponent(guide('vscode')?.link ?? ''), /"inputs":\[\{"type":"promptString"/)
  const goose = new URL(fillLink(guide('goose')!.secret_link!, SECRET))
  t.equal(goose.searchParams.get('url'), ENDPOINT)
  t.equal(goose.searchParams.get('header'), `Authorization=Bearer ${SECRET}`)
  const hostile = fillLink(guide('cursor')!.secret_link!, '","x":"y')
  t.same(Object.keys(JSON.parse(Buffer.from(new URL(hostile).searchParams.get('config') ?? '', 'base64').toString()) as object), ['url', 'headers'])
})

t.test('a device is looked up, approved with limits for oneself, and gets its token; or is denied', async (t) => {
  const codes = (await backend.devices.request({ name: 'cursor@laptop', remote_address: '10.1.2.3', client_id: 'init' }))!
  t.match(await narrow.call('GET', `/devices/${codes.user_code.toLowerCase()}`), {
    status: 200, body: { name: 'cursor@laptop', remote_address: '10.1.2.3', state: 'pending', user: null }
  })
  t.match(await narrow.call('POST', `/devices/${codes.user_code}/approval`, { workspaces: ['tillpoint'] }), { status: 404, body: { detail: /"tillpoint", or jonas.* is not a member of it/ } })
  t.match(await narrow.call('POST', `/devices/${codes.user_code}/approval`, { scope: 'read', workspaces: ['harbour-clinic'], expires_in_days: 7 }), {
    status: 200, body: { state: 'approved', user: server.narrow.email }
  })
  t.match(await wide.call('GET', `/devices/${codes.user_code}`), { status: 404 }, 'approved by someone else: as if it was unknown')
  t.match(await wide.call('POST', `/devices/${codes.user_code}/denial`), { status: 404 })
  const token = await backend.devices.redeem(codes.device_code, 'init')
  if (typeof token === 'string') throw new Error(token)
  const { body: list } = await narrow.call<ResponseOf<Operations['GET /tokens']>>('GET', '/tokens')
  t.match(list.tokens.find(({ id }) => id === token.id), { name: 'cursor@laptop', scope: 'read', workspaces: [{ slug: 'harbour-clinic' }], created_by: /approved by/ })
  const denied = (await backend.devices.request({ name: 'd', remote_address: '10.1.2.4' }))!
  t.match(await narrow.call('POST', `/devices/${denied.user_code}/denial`), { status: 200, body: { state: 'denied' } })
  t.equal(await backend.devices.redeem(denied.device_code, undefined), 'access_denied')
  t.match(await narrow.call('GET', '/devices/BCDF-GHJK'), { status: 404, body: { detail: /No one waits with this code/ } })
})
