// Several replicas on one database and one Valkey, each request to another one; and what is left when Valkey is away.
import t, { type Test } from 'tap'
import { buildApp } from '../../src/app.js'
import { readConfig, type Flags } from '../../src/config.js'
import { sqlDeviceGrants } from '../../src/credentials/sql-device-grants.js'
import { valkeyEventLog } from '../../src/eras/legacy/valkey-event-log.js'
import { changeFeed } from '../../src/store/change-feed.js'
import { sharedEndedSessions } from '../../src/store/ended-sessions.js'
import { isMigrated } from '../../src/store/migrate.js'
import { sqlSessionNotes } from '../../src/store/session-notes.js'
import { sqlStore } from '../../src/store/sql-store.js'
import { sqlTasks } from '../../src/store/tasks.js'
import { valkeyBus } from '../../src/store/valkey-bus.js'
import { build, handshake, legacy, modern } from '../helpers/build.js'
import { VALKEY, valkey } from '../helpers/valkey.js'

const replicas = async (t: Test, flags: Flags = {}) => {
  const { db, key, audit, credentials } = await build(t)
  const started = await Promise.all([1, 2, 3].map(async () => {
    const connection = await valkey(t, VALKEY!)
    const log: string[] = []
    const app = await buildApp(readConfig({}, flags), {
      store: sqlStore(db),
      credentials,
      devices: sqlDeviceGrants(db),
      audit,
      ended: sharedEndedSessions(db),
      notes: sqlSessionNotes(db),
      tasks: sqlTasks(db),
      bus: valkeyBus(connection),
      eventLog: valkeyEventLog(connection),
      valkey: connection,
      databaseReady: () => isMigrated(db),
      openFeed: (failed) => changeFeed(db, failed),
      sessionSecret: 'one secret of all replicas, long enough to be one',
      logTo: { write: (line) => { log.push(line) } }
    })
    t.teardown(() => app.close())
    return { app, connection, log }
  }))
  return { key, credentials, apps: started.map(({ app }) => app), started }
}

t.test('replicas', { skip: VALKEY === undefined && 'needs TEST_VALKEY_URL' }, async (t) => {
  t.test('120 means 120 over three', async (t) => {
    const { key, apps } = await replicas(t)
    const statuses = await Promise.all(Array.from({ length: 150 }, async (_, n) => (await modern(apps[n % 3]!, key, 'tools/list')).status))
    t.equal(statuses.filter((status) => status === 200).length, 120)
    t.equal(statuses.filter((status) => status === 429).length, 30)
  })

  t.test('a session lives and ends on all', async (t) => {
    const { key, apps: [a, b, c] } = await replicas(t)
    const session = await handshake(a!, key)
    t.equal((await legacy(b!, key, session, 'tools/list')).status, 200)
    const ended = await c!.inject({ method: 'DELETE', url: '/mcp', headers: { host: 'localhost', authorization: `Bearer ${key}`, 'mcp-session-id': session } })
    t.ok(ended.statusCode < 300)
    for (const app of [a, b, c]) t.equal((await legacy(app!, key, session, 'tools/list')).status, 404)
  })

  t.test('a revoked key fails on the next call everywhere', async (t) => {
    const { key, credentials, apps } = await replicas(t)
    for (const app of apps) t.equal((await modern(app, key, 'tools/list')).status, 200)
    const [own] = (await credentials.list('api_key')).filter(({ hint }) => key.startsWith(hint))
    await credentials.revoke('api_key', own!.id)
    for (const app of apps) t.equal((await modern(app, key, 'tools/list')).status, 401)
  })

  t.test('while Valkey is away each counts for itself, and says so', async (t) => {
    const { key, started: [first] } = await replicas(t, { rateLimitReadPerMinute: '2' })
    const { app, connection, log } = first!
    t.match((await app.inject({ url: '/readyz' })).json(), { status: 'ok', checks: { database: 'ok', migrations: 'ok', valkey: 'ok', draining: false } })
    connection.commands.disconnect()
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) statuses.push((await modern(app, key, 'tools/list')).status)
    t.same(statuses, [200, 200, 429])
    const ready = await app.inject({ url: '/readyz' })
    t.equal(ready.statusCode, 200, 'it still serves')
    t.match(ready.json().checks.valkey, /^away/)
    t.equal(log.filter((line) => line.includes('Valkey is away')).length, 1)
  })
})

t.test('a database that is away, or older than the program, is not ready', async (t) => {
  const { app, db } = await build(t)
  t.equal((await app.inject({ url: '/livez' })).statusCode, 200)
  t.equal(await isMigrated(db), true)
  await db.query('delete from schema_migrations where version = (select max(version) from schema_migrations)')
  t.equal(await isMigrated(db), false)
})
