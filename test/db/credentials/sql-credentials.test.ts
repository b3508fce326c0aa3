// Credentials on a database: what the tests through the front door do not show.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { sqlCredentialList } from '../../../src/db/credentials/sql-credential-list.js'
import { sqlCredentials } from '../../../src/db/credentials/sql-credentials.js'
import { directory } from '../../../src/db/people/sql-directory.js'
import { Refusal } from '../../../src/lib/errors.js'
import { sampleDatabase } from '../../helpers/database.js'

const db = await sampleDatabase(t)
const people = directory(db)
const credentials = sqlCredentials(db, people)
t.teardown(() => credentials.flush())
const { id: user } = await people.createUser({ email: 'Ada@example.com', name: 'Ada', kind: 'person' })
const [one, two] = await db.query<{ id: string, slug: string }>('select id, slug from workspaces order by slug')
const workspacesOf = async (secret: string) => {
  const verification = await credentials.verify(secret)
  return 'principal' in verification ? [...verification.principal.workspaces].sort() : verification
}

t.test('a credential sees what its user sees, within its limit, from call to call', async (t) => {
  const { key, expires_at: expires } = await credentials.createKey({ user: 'ada@EXAMPLE.com', name: 'laptop', scope: 'read_write' })
  t.equal(expires, null)
  t.strictSame(await workspacesOf(key), [])
  for (const workspace of [one!.slug, two!.id]) await people.addMember({ user, workspace, role: 'viewer' })
  t.strictSame(await workspacesOf(key), [one!.id, two!.id].sort())
  const limited = await credentials.createKey({ user, name: 'ci', scope: 'read', workspaces: [one!.slug] })
  t.strictSame(await workspacesOf(limited.key), [one!.id])
  await people.removeMember({ user, workspace: one!.id })
  t.strictSame([await workspacesOf(limited.key), await workspacesOf(key)], [[], [two!.id]])
  const { expires_at: end } = await credentials.createToken({ user, name: 'host' })
  t.equal(Math.round((Date.parse(end) - Date.now()) / 86_400_000), 365)
})

t.test('what is revoked stays so, and no one ends a credential by another kind or id', async (t) => {
  const { id, key } = await credentials.createKey({ user, name: 'gone', scope: 'admin' })
  t.match(await credentials.refresh({ credential: { id } }), { credential: { id }, user: { id: user } })
  await t.rejects(credentials.revoke('personal_access_token', id), Refusal)
  for (const other of [randomUUID(), 'no id']) await t.rejects(credentials.revoke('api_key', other), Refusal)
  const ends = () => db.query('select revoked_at, revoked_by from credentials where id = $1', [id])
  await credentials.revoke('api_key', id, 'ada')
  const first = await ends()
  await credentials.revoke('api_key', id, 'bob')
  t.same(await ends(), first, 'twice keeps the first time')
  t.equal(await credentials.refresh({ credential: { id } }), undefined)
  t.strictSame(await workspacesOf(key), { refused: 'unknown' })
  for (const known of [id, 'gone']) await t.resolves(credentials.requireKnown(known))
  for (const unknown of [one!.id, 'gon', 'gone\0', "' or true --"]) {
    await t.rejects(credentials.requireKnown(unknown), { reason: 'not_found', message: /There is no credential .*"keys list"/ }, unknown)
  }
})

t.test('lists show no secret, and when a credential was last used', async (t) => {
  const lists = sqlCredentialList(db)
  const { id, key } = await credentials.createKey({ user, name: 'listed', scope: 'read' })
  const listed = async () => (await lists.page({ kind: 'api_key', revoked: true }, { limit: 500 })).items.find((summary) => summary.id === id)!
  t.equal((await listed()).last_used_at, null)
  await credentials.verify(key)
  await credentials.flush()
  t.match(await listed(), { last_used_at: /^\d{4}-.*Z$/, hint: key.slice(0, 12), user: { email: 'Ada@example.com' } })
  const stored = await db.query('select * from credentials where id = $1', [id])
  t.notOk(JSON.stringify([await listed(), stored]).includes(key.slice(12)), 'only a hash is stored')
})

t.test('what cannot be created is refused with the remedy', async (t) => {
  await t.rejects(credentials.createKey({ user: 'nobody', name: 'x', scope: 'read' }), /users list/)
  for (const name of [' ', 'x'.repeat(201)]) await t.rejects(credentials.createToken({ user, name }), /1 to 200/)
  await t.rejects(credentials.createKey({ user, name: 'x', scope: 'read', workspaces: ['nowhere'] }), /no workspace/)
  await t.rejects(people.createUser({ email: 'ADA@example.com', name: 'x', kind: 'person' }), /already/)
  await t.rejects(people.removeMember({ user, workspace: one!.id }), /not a member/)
})
