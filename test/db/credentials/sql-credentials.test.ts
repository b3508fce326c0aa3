// Credentials on a database: every change of what one may do works at the next verification.
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import type { OwnCredentials } from '../../../src/access/credentials/credentials.js'
import { sqlCredentialList } from '../../../src/db/credentials/sql-credential-list.js'
import { sqlCredentials } from '../../../src/db/credentials/sql-credentials.js'
import { Refusal } from '../../../src/lib/errors.js'
import { platformCredentials } from '../../../src/platform-api/client/credentials.js'
import { directory } from '../../../src/db/people/sql-directory.js'
import { sampleDatabase } from '../../helpers/database.js'
import { askerOf, platformServer } from '../../helpers/platform.js'

const onDatabase = async (t: Test) => {
  const db = await sampleDatabase(t)
  const people = directory(db)
  const credentials = sqlCredentials(db, people)
  t.teardown(() => credentials.flush())
  return { db, people, credentials, callers: credentials as OwnCredentials }
}

/** As a front sees them. */
const overHttp = async (t: Test) => {
  const { db, people, credentials, url } = await platformServer(t)
  return { db, people, credentials, callers: platformCredentials(askerOf(t, url)) }
}

const promises = (name: string, open: typeof onDatabase) => t.test(name, async (t) => {
  const { db, people, credentials, callers } = await open(t)
  const { id: user } = await people.createUser({ email: 'Ada@example.com', name: 'Ada', kind: 'person' })
  const [one, two] = await db.query<{ id: string, slug: string }>('select id, slug from workspaces order by slug')
  const principalOf = async (secret: string) => {
    const verification = await callers.verify(secret)
    return 'principal' in verification ? verification.principal : undefined
  }

  await t.test('a key sees what its user sees, from call to call', async (t) => {
    const { key, expires_at: expires } = await credentials.createKey({
      user: 'ada@EXAMPLE.com', name: 'laptop', scope: 'read_write'
    })
    t.equal(expires, null)
    t.match(await principalOf(key), {
      credential: { kind: 'api_key', name: 'laptop', scope: 'read_write' }, user: { id: user }, workspaces: []
    })
    await people.addMember({ user, workspace: one!.slug, role: 'viewer' })
    t.strictSame((await principalOf(key))?.workspaces, [one!.id])
    await people.addMember({ user, workspace: two!.id, role: 'admin' })
    t.strictSame([...(await principalOf(key))!.workspaces].sort(), [one!.id, two!.id].sort())
    await people.removeMember({ user, workspace: one!.id })
    t.strictSame((await principalOf(key))?.workspaces, [two!.id])
  })

  await t.test('a key limited to workspaces sees no others, and not those its user lost', async (t) => {
    await people.addMember({ user, workspace: one!.id, role: 'viewer' })
    const { key } = await credentials.createKey({ user, name: 'ci', scope: 'read', workspaces: [one!.slug] })
    t.strictSame((await principalOf(key))?.workspaces, [one!.id])
    await people.removeMember({ user, workspace: one!.id })
    t.strictSame((await principalOf(key))?.workspaces, [])
  })

  await t.test('a token has all of its user\'s permissions, for a year', async (t) => {
    const { token, expires_at: expires } = await credentials.createToken({ user, name: 'host' })
    t.match(await principalOf(token), {
      credential: { kind: 'personal_access_token', scope: 'admin' }, workspaces: [two!.id]
    })
    const days = (Date.parse(expires) - Date.now()) / 86_400_000
    t.ok(days > 364.9 && days < 365.1)
  })

  await t.test('revoked, expired, unknown, of the other kind: refused alike', async (t) => {
    const { id, key } = await credentials.createKey({ user, name: 'gone', scope: 'admin', expiresIn: 60_000 })
    t.ok(await principalOf(key))
    const first = await credentials.revoke('api_key', id)
    t.strictSame(await callers.verify(key), { refused: 'unknown' })
    t.equal((await credentials.revoke('api_key', id)).revoked_at, first.revoked_at, 'twice keeps the first time')
    const old = await credentials.createKey({ user, name: 'old', scope: 'read', expiresIn: -1 })
    t.strictSame(await callers.verify(old.key), { refused: 'unknown' })
    t.strictSame(await callers.verify('svc_pat_' + 'A'.repeat(32)), { refused: 'unknown' })
    t.strictSame(await callers.verify(key.slice(0, -1)), { refused: 'mistyped' })
    await t.rejects(callers.revoke('personal_access_token', id), Refusal)
    await t.rejects(callers.revoke('api_key', randomUUID()), Refusal)
    await t.rejects(credentials.revoke('api_key', 'no id'), Refusal)
    await callers.revoke('api_key', id)
    const other = await credentials.createKey({ user, name: 'ends', scope: 'read' })
    t.match(await callers.refresh({ credential: other }), { credential: { id: other.id }, user: { id: user } })
    await callers.revoke('api_key', other.id, 'its holder')
    t.equal(await callers.refresh({ credential: other }), undefined)
    t.strictSame(await callers.verify(other.key), { refused: 'unknown' })
  })

  await t.test('lists show no secret, and when a credential was last used', async (t) => {
    const lists = sqlCredentialList(db)
    const { id, key } = await credentials.createKey({ user, name: 'listed', scope: 'read' })
    const listed = async () => (await lists.page({ kind: 'api_key', revoked: true }, { limit: 500 })).items.find((summary) => summary.id === id)!
    t.equal((await listed()).last_used_at, null)
    await callers.verify(key)
    await credentials.flush()
    const { last_used_at: used, hint, user: owner } = await listed()
    t.match(used, /^\d{4}-.*Z$/)
    t.equal(owner.email, 'Ada@example.com')
    t.equal(hint, key.slice(0, 12))
    t.notOk(JSON.stringify(await lists.page({ kind: 'api_key', revoked: true }, { limit: 500 })).includes(key.slice(12)))
    const stored = await db.query('select * from credentials where id = $1', [id])
    t.notOk(JSON.stringify(stored).includes(key.slice(12)), 'only a hash is stored')
  })

  await t.test('an unknown credential is refused, a revoked one is known', async (t) => {
    const { id } = await credentials.createKey({ user, name: 'filtered', scope: 'read' })
    await credentials.revoke('api_key', id)
    for (const known of [id, 'filtered']) await t.resolves(credentials.requireKnown(known))
    for (const unknown of [one!.id, 'filtere', 'filtered\0', "' or true --"]) {
      await t.rejects(credentials.requireKnown(unknown), { reason: 'not_found', message: /There is no credential .*"keys list"/ }, unknown)
    }
  })

  await t.test('what cannot be created is refused with the remedy', async (t) => {
    await t.rejects(credentials.createKey({ user: 'nobody', name: 'x', scope: 'read' }), /users list/)
    await t.rejects(credentials.createKey({ user, name: ' ', scope: 'read' }), /1 to 200/)
    await t.rejects(credentials.createToken({ user, name: 'x'.repeat(201) }), /1 to 200/)
    await t.rejects(credentials.createKey({ user, name: 'x', scope: 'read', workspaces: ['nowhere'] }), /no workspace/)
    await t.rejects(people.createUser({ email: 'ADA@example.com', name: 'x', kind: 'person' }), /already/)
    await t.rejects(people.removeMember({ user, workspace: one!.id }), /not a member/)
  })
})

promises('credentials on a database', onDatabase)
promises('credentials of a platform', overHttp)
