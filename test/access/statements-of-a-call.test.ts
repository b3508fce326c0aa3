// What a call asks the database: one statement verifies anyone who calls, and says whether the session of the request has ended.
import t from 'tap'
import { sqlEndedSessionStore } from '../../src/db/sessions/sql-ended-session-store.js'
import { BOTH, handshake, legacy } from '../helpers/build.js'
import { countingDatabase } from '../helpers/counting-database.js'
import { callMcp, connect } from '../helpers/oauth.js'
import { webServer } from '../helpers/web.js'

const { db, counted } = await countingDatabase(t, { notifies: false })
const flags = { rateLimitReadPerMinute: '100000' }
const { app, backend, signIn, wide } = await webServer(t, flags, db, { clientDocuments: { resolve: async () => [] } })
const { app: other } = await webServer(t, flags, db)
const { key } = await backend.credentials.createKey({ user: wide.id, name: 'k', scope: 'read' })
const { access_token: token } = await connect(app, await signIn(wide.id))
const [{ id = '' } = {}] = await db.query<{ id: string }>('select id from explorations order by id limit 1')
const params = { name: 'get_exploration', arguments: { exploration_id: id } }
const VERIFIES = /from credentials c|from connection_tokens/

const end = (session: string) => app.inject({
  method: 'DELETE', url: '/mcp', headers: { host: 'localhost', authorization: `Bearer ${key}`, accept: BOTH, 'mcp-session-id': session }
})

t.test('a call with a key, with an access token and in a session sends the same statements', async (t) => {
  const session = await handshake(app, key)
  const ways = {
    key: async () => { t.equal((await callMcp(app, key, 'tools/call', params, '/mcp')).status, 200) },
    token: async () => { t.equal((await callMcp(app, token, 'tools/call', params)).status, 200) },
    session: async () => { t.equal((await legacy(app, key, session, 'tools/call', params)).status, 200) }
  }
  // The first of each notes the time of last use, and fills caches.
  for (const way of Object.values(ways)) await way()
  const plain = await counted(ways.key)
  for (const [name, way] of Object.entries(ways)) {
    const statements = await counted(way)
    t.equal(statements.filter((statement) => VERIFIES.test(statement)).length, 1, `${name}: one verifies`)
    t.same(statements.filter((statement) => !VERIFIES.test(statement)), plain.filter((statement) => !VERIFIES.test(statement)), name)
  }
  const together = await counted(() => Promise.all(Array.from({ length: 8 }, () => callMcp(app, token))))
  t.ok(together.filter((statement) => VERIFIES.test(statement)).length < 8, 'requests that arrive together are verified together')
})

t.test('what has no form of an access token costs no statement', async (t) => {
  for (const secret of [undefined, key, 'x', 'svc_at_', token.toLowerCase(), token.replace('svc_at', 'svc_rt'), token.slice(0, -1)]) {
    t.same((await counted(() => callMcp(app, secret))).filter((statement) => VERIFIES.test(statement)), [], String(secret).slice(0, 8))
  }
})

t.test('a session that was ended at one server is unknown to another at once, and others of the same key are not', async (t) => {
  const [ended, open] = [await handshake(app, key), await handshake(app, key)]
  const ping = (session: string) => legacy(other, key, session, 'ping')
  t.same((await Promise.all([ping(ended), ping(open)])).map(({ status }) => status), [200, 200])
  await db.query("insert into ended_sessions (id_hash, expires_at) values ('\\x01', now())")
  t.equal((await end(ended)).statusCode, 204)
  t.same((await Promise.all([ping(ended), ping(open), ping(ended)])).map(({ status }) => status), [404, 200, 404])
  t.equal((await end(ended)).statusCode, 404, 'nor can it be ended again')
  t.same(await db.query('select from ended_sessions where expires_at <= now()'), [], 'what has expired is forgotten')
})

t.test('a server that is alone remembers over restarts what ended, until it would have expired', async (t) => {
  const ended = await sqlEndedSessionStore(db)
  await ended.add('one', Date.now() + 60_000)
  await ended.add('past', Date.now() - 1)
  for (const store of [ended, await sqlEndedSessionStore(db)]) t.same([await store.has('one'), await store.has('other')], [true, false])
  t.equal(await (await sqlEndedSessionStore(db)).has('past'), false)
})
