// Where several servers share a database, the statement that verifies a credential also says whether the session of the request has ended.
import t from 'tap'
import { createSessions, memoryEndedSessionStore } from '../../src/engine/engine.js'
import { BOTH, handshake, legacy } from '../helpers/build.js'
import { countingDatabase } from '../helpers/counting-database.js'
import { callMcp } from '../helpers/oauth.js'
import { webServer } from '../helpers/web.js'

const { db, counted } = await countingDatabase(t, { notifies: false })
const flags = { rateLimitReadPerMinute: '100000' }
const { app, backend, wide } = await webServer(t, flags, db)
const { app: other } = await webServer(t, flags, db)
const { key } = await backend.credentials.createKey({ user: wide.id, name: 'k', scope: 'read' })
const [{ id = '' } = {}] = await db.query<{ id: string }>('select id from explorations order by id limit 1')
const params = { name: 'get_exploration', arguments: { exploration_id: id } }

const end = (session: string) => app.inject({
  method: 'DELETE', url: '/mcp', headers: { host: 'localhost', authorization: `Bearer ${key}`, accept: BOTH, 'mcp-session-id': session }
})

t.test('a call in a session sends as many statements as one without', async (t) => {
  const session = await handshake(app, key)
  const withSession = async () => { t.equal((await legacy(app, key, session, 'tools/call', params)).status, 200) }
  const without = async () => { t.equal((await callMcp(app, key, 'tools/call', params, '/mcp')).status, 200) }
  // The first of each notes the time of last use, and fills caches.
  await withSession()
  await without()
  t.equal((await counted(withSession)).length, (await counted(without)).length)
})

t.test('a session that was ended at one server is unknown to another at once, and others of the same key are not', async (t) => {
  const [ended, open] = [await handshake(app, key), await handshake(app, key)]
  const ping = (session: string) => legacy(other, key, session, 'ping')
  t.same((await Promise.all([ping(ended), ping(open)])).map(({ status }) => status), [200, 200])
  t.equal((await end(ended)).statusCode, 204)
  t.same((await Promise.all([ping(ended), ping(open), ping(ended)])).map(({ status }) => status), [404, 200, 404])
  t.equal((await end(ended)).statusCode, 404, 'nor can it be ended again')
})

t.test('what was read with the credential counts for its session alone, and not for a call that waited', async (t) => {
  const sessions = createSessions({ secrets: ['a secret of this test'], ttlSeconds: 60, ended: memoryEndedSessionStore() })
  const session = { revision: '2025-11-25' as const, client: { capabilities: {} }, credential: 'one' }
  const [id, another] = [sessions.issue(session), sessions.issue(session)]
  const readAt = performance.now()
  t.ok(await sessions.read(id, 'one', { id, hasEnded: false, readAt }))
  t.notOk(await sessions.read(id, 'one', { id, hasEnded: true, readAt }))
  t.ok(await sessions.read(another, 'one', { id, hasEnded: true, readAt }))
  t.ok(await sessions.read(id, 'one', { id, hasEnded: true, readAt: readAt - 5000 }), 'the store is asked, which knows nothing of its end')
})
