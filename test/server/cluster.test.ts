// Which servers may start beside each other: those that share all that replicas have to share.
import t from 'tap'
import { openBackend } from '../../src/server/open-backend.js'
import { commandLine } from '../helpers/command-line.js'
import { ownDatabase, SERVER } from '../helpers/database.js'
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
