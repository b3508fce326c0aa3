// What signing in leaves behind goes by itself: also of people who never come back, and whichever replica does it.
import t from 'tap'
import { deleteExpired } from '../../src/db/sql/delete-expired.js'
import { runFirstUpkeep } from '../helpers/first-upkeep.js'
import { webServer } from '../helpers/web.js'

const server = await webServer(t)
const { db, backend, wide, narrow } = server
const counts = async () => (await db.query(`
  select (select count(*)::int from web_sessions) as sessions, (select count(*)::int from sign_in_links) as links,
    (select count(*)::int from used_challenges) as challenges, (select count(*)::int from invitations) as invitations`))[0]

t.test('what has expired is deleted, what works stays', async (t) => {
  await backend.directory.changeUser({ user: wide.id, serverAdmin: true })
  const [idle, old, works] = [await server.signIn(narrow.id), await server.signIn(narrow.id), await server.signIn(wide.id)]
  const idOf = async (browser: typeof idle) => (await browser.call<{ sessions: Array<{ id: string, current: boolean }> }>('GET', '/sessions'))
    .body.sessions.find(({ current }) => current)?.id
  const [idleId, oldId] = [await idOf(idle), await idOf(old)]
  for (const email of ['one@example.com', 'two@example.com']) await works.call('POST', '/invitations', { email, memberships: [] })
  await backend.signInLinks.create(narrow.id)
  const open = await backend.signInLinks.create(wide.id)
  await db.query("update web_sessions set last_seen_at = now() - interval '13 hours' where id = $1", [idleId])
  await db.query('update web_sessions set expires_at = now() where id = $1', [oldId])
  await db.query("update sign_in_links set expires_at = now() - interval '1 second' where user_id = $1", [narrow.id])
  await db.query("insert into used_challenges (hash, expires_at) values ('\\x01', now()), ('\\x02', now() + interval '1 minute')")
  await db.query("update invitations set expires_at = now() - interval '31 days' where email = 'one@example.com'")
  await db.query("update invitations set expires_at = now() - interval '29 days' where email = 'two@example.com'")
  // Two replicas at once.
  await Promise.all([backend.web!.deleteExpired(), backend.web!.deleteExpired()])
  t.same(await counts(), { sessions: 1, links: 1, challenges: 1, invitations: 1 })
  t.equal((await works.call('GET', '/session')).status, 200)
  t.equal((await server.browser().call('POST', '/sign-in/link', { token: open.token })).status, 200)
})

t.test('a lot of it goes in several statements', async (t) => {
  await db.query("insert into used_challenges (hash, expires_at) select decode(md5(n::text), 'hex'), now() - interval '1 minute' from generate_series(1, 2500) n")
  const sizes: number[] = []
  await deleteExpired({
    query: async (text, values) => {
      const rows = await db.query<never>(text, values)
      if (text.includes('used_challenges')) sizes.push(rows.length)
      return rows
    }
  })
  t.same(sizes, [1000, 1000, 500])
})

t.test('a server does it soon after it has started', async (t) => {
  await db.query("insert into used_challenges (hash, expires_at) values ('\\x03', now() - interval '1 minute')")
  await runFirstUpkeep({ auditRetentionDays: undefined }, { ...backend, log: server.app.log })
  t.same(await db.query("select from used_challenges where hash = '\\x03'"), [])
})
