// What a call with an access token costs beside the same call with a key: the same statements, one of which verifies anyone who calls.
import t from 'tap'
import { countingDatabase } from '../helpers/counting-database.js'
import { callMcp, connect } from '../helpers/oauth.js'
import { webServer } from '../helpers/web.js'

const { db, counted } = await countingDatabase(t, { notifies: false })
const { app, backend, signIn, wide } = await webServer(t, { rateLimitReadPerMinute: '100000' }, db, { clientDocuments: { resolve: async () => [] } })
const { key } = await backend.credentials.createKey({ user: wide.id, name: 'k', scope: 'read' })
const { access_token: token } = await connect(app, await signIn(wide.id))
const [{ id = '' } = {}] = await db.query<{ id: string }>('select id from explorations order by id limit 1')
const VERIFIES = /from credentials c|from connection_tokens/

const CALLS: Array<[method: string, params: Record<string, unknown>]> = [
  ['tools/list', {}],
  ['tools/call', { name: 'list_workspaces', arguments: {} }],
  ['tools/call', { name: 'get_exploration', arguments: { exploration_id: id } }],
  ['resources/read', { uri: `service://exploration/${id}` }]
]

for (const [method, params] of CALLS) {
  t.test(`${method} ${JSON.stringify(params)}`, async (t) => {
    const call = (secret: string, url: string) => async () => {
      const reply = await callMcp(app, secret, method, params, url, method === 'resources/read' ? { 'mcp-name': String(params['uri']) } : {})
      t.equal(reply.status, 200, reply.text)
    }
    const withKey = call(key, '/mcp')
    const withToken = call(token, '/oauth/mcp')
    // The first notes the time of last use, and fills caches.
    await withKey()
    await withToken()
    const one = await counted(withKey)
    const other = await counted(withToken)
    t.equal(other.filter((statement) => VERIFIES.test(statement)).length, 1, 'one statement verifies the token')
    t.same(other.filter((statement) => !VERIFIES.test(statement)), one.filter((statement) => !VERIFIES.test(statement)), 'the rest is the same')
    t.equal(other.length, one.length)
  })
}

t.test('requests that arrive together are verified together', async (t) => {
  const statements = await counted(() => Promise.all(Array.from({ length: 8 }, () => callMcp(app, token))))
  t.ok(statements.filter((statement) => VERIFIES.test(statement)).length < 8)
})

t.test('what has no form of an access token costs no statement', async (t) => {
  for (const secret of [undefined, key, 'x', 'svc_at_', token.toLowerCase(), token.replace('svc_at', 'svc_rt'), token.slice(0, -1)]) {
    t.same((await counted(() => callMcp(app, secret))).filter((statement) => VERIFIES.test(statement)), [], String(secret).slice(0, 8))
  }
})
