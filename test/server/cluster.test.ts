// Servers on PostgreSQL: which may start beside each other, and one role that owns the schema while another serves on it.
import t from 'tap'
import { openBackend } from '../../src/server/open-backend.js'
import { openPostgres } from '../../src/db/postgres/postgres.js'
import type { AuditRecord } from '../../src/access/audit/audit-log.js'
import { toolCall } from '../helpers/build.js'
import { commandLine } from '../helpers/command-line.js'
import { ownDatabase, SERVER } from '../helpers/database.js'
import { loginRole } from '../helpers/login-role.js'
import { VALKEY } from '../helpers/valkey.js'

const SESSION_SECRET = 'a secret that is long enough to be one'
const LINE = 'serve --port 0 --no-sample'

t.test('Valkey is for replicas on one database', async (t) => {
  t.match(await commandLine(t, { env: { VALKEY_URL: 'redis://127.0.0.1:1' } }).run(LINE), {
    code: 1, err: /VALKEY_URL is for replicas on one database: set DATABASE_URL/
  })
})

t.test('several on one database', { skip: (SERVER === undefined || VALKEY === undefined) && 'no TEST_DATABASE_URL or no TEST_VALKEY_URL' }, async (t) => {
  const DATABASE_URL = await ownDatabase(t, SERVER!)
  const replica = (env: object = {}) => commandLine(t, { env: { DATABASE_URL, ...env }, openBackend })
  const sharing = { VALKEY_URL: VALKEY, SESSION_SECRET }

  t.match(await replica({ VALKEY_URL: VALKEY }).run(LINE), {
    code: 1, err: /SESSION_SECRET is not set: replicas need the same one/
  })
  const alone = await replica().serve(LINE)
  t.match(await replica().run(LINE), {
    code: 1, err: /Another replica serves this database already: set the same VALKEY_URL on each/
  })
  t.match(await replica(sharing).run(LINE), { code: 1, err: /Another replica serves this database without VALKEY_URL/ })
  await alone.stop()
  for (let n = 0; n < 2; n++) t.match((await replica(sharing).serve(LINE)).hello, /http/)
  t.match(await replica().run(LINE), { code: 1, err: /Another replica serves this database already/ })
})

t.test('the embedded database needs no migration', async (t) => {
  t.match(await commandLine(t).run('migrate --server-role x'), { code: 1, err: /--database-url/ })
})

t.test('migrate --server-role', { skip: SERVER === undefined && 'needs TEST_DATABASE_URL' }, async (t) => {
  const url = await ownDatabase(t, SERVER!)
  const owner = await openPostgres(url, { connections: 1 })
  t.teardown(() => owner.close())
  const { username: role, password, url: serverUrl } = await loginRole(t, url)
  const asOwner = commandLine(t, { env: { DATABASE_URL: url }, openBackend })
  const asServer = commandLine(t, {
    env: { DATABASE_URL: serverUrl, SESSION_SECRET, USER: 'ada' }, openBackend
  })

  const early = await asServer.run('users list')
  t.match(early, { code: 1, err: /Run this as the owner of the schema first: exploration-mcp migrate$/m }, "the server's role makes no schema")
  t.notMatch(early.err, password)
  t.match(await asOwner.run('migrate --server-role nobody_at_all'), {
    code: 1, err: /There is no role "nobody_at_all": create it first/
  })
  const { current_user: self } = (await owner.query<{ current_user: string }>('select current_user'))[0]!
  t.match(await asOwner.run(['migrate', '--server-role', self]), { code: 1, err: /another than the one that migrates/ })
  t.strictSame(await asOwner.json(`migrate --server-role ${role}`), { migrated: true, server_role: role })
  t.match(await asOwner.run(`migrate --server-role ${role}`), { code: 0, out: /only append to the audit log/ }, 'again after each update')

  const { hello } = await asServer.serve('serve --port 0 --json')
  const { endpoint, key } = JSON.parse(hello) as { endpoint: string, key: string }
  const reply = await fetch(endpoint, { ...toolCall(key, 'find_explorations', { query: 'refund' }) })
  t.match(await reply.json(), { result: { isError: undefined, structuredContent: {} } })
  t.match(await asServer.json<AuditRecord[]>('audit --action tools/call'), [{
    action: 'tools/call find_explorations', outcome: 'ok'
  }])
  const [user] = await asServer.json<Array<{ email: string }>>('users list')
  const { id } = await asServer.json<{ id: string }>(`keys create --user ${user!.email} --name k --scope read`)
  t.match(await asServer.run(`keys revoke ${id}`), { code: 0 })
  t.match((await asServer.json<AuditRecord[]>(`audit --credential ${id}`)).map(({ action, actor }) => [action, actor]),
    [['credential/revoked', 'ada'], ['credential/created', 'ada']])
  t.ok((await asServer.run('audit --ndjson')).out.split('\n').length > 4)

  const server = await openPostgres(serverUrl, { connections: 1 })
  t.teardown(() => server.close())
  for (const statement of ['update audit_events set outcome = \'ok\'', 'delete from audit_events', 'truncate audit_events', 'alter table audit_events add column x int']) {
    await t.rejects(server.query(statement), /permission denied|must be owner/, statement)
  }
})
