// Streams end with their credential by the clock of the database, whatever this server's clock says.
import t from 'tap'
import { openStreams } from '../../../src/engine/http/open-streams.js'
import type { UserPrincipal } from '../../../src/lib/principal.js'
import { build } from '../../helpers/build.js'
import { wire } from '../../helpers/wire.js'

t.test('a clock that is ahead ends nothing; what has expired ends', async (t) => {
  const principal: UserPrincipal = {
    credential: { id: 'k', kind: 'api_key', name: 'k', scope: 'read', expires_at: '2030-01-01T00:00:00.000Z' },
    user: { id: 'u', email: 'u@example.com', name: 'u' },
    workspaces: []
  }
  let now = Date.parse('2029-12-31T23:59:59Z')
  const streams = openStreams<UserPrincipal>(10, () => now)
  let ended = 0
  streams.add(principal, () => { ended++ })
  const asked: string[] = []
  const knowing = (known: UserPrincipal | undefined) => async ({ credential: { id } }: UserPrincipal) => {
    asked.push(id)
    return known
  }
  await streams.endExpired(knowing(undefined))
  t.same(asked, [], 'no one is asked before its time')
  now += 3_600_000
  await streams.endExpired(knowing(principal))
  t.same([asked, ended], [['k'], 0])
  await streams.endExpired(knowing(undefined))
  t.equal(ended, 1)
})

t.test('a clock that is behind: what the database has seen expire ends all the same', async (t) => {
  const { app, db, credentials, people } = await build(t)
  const [user] = await people.listUsers()
  const { key, id } = await credentials.createKey({
    user: user!.id, name: 'short', scope: 'read', expiresIn: 3_600_000
  })
  const stream = await (await wire(t, app, key)).modern('subscriptions/listen', { notifications: { resourcesListChanged: true } })
  await stream.message()
  await db.query("update credentials set expires_at = now() - interval '1 second' where id = $1", [id])
  await credentials.markExpired()
  await stream.rest()
  t.pass('it ended')
})
