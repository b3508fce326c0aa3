// The embedded server remembers what it read of a credential only while nothing that decides about access has changed:
// after each kind of change, anyone who makes it, the next verification is as that of a reader that remembers nothing.
import t from 'tap'
import { createCredentialCache } from '../../../src/db/credentials/credential-cache.js'
import { sqlCredentials } from '../../../src/db/credentials/sql-credentials.js'
import { directory } from '../../../src/db/people/sql-directory.js'
import { countingDatabase } from '../../helpers/counting-database.js'
import { SERVER } from '../../helpers/database.js'

const { db, counted } = await countingDatabase(t)
const people = directory(db)
const credentials = sqlCredentials(db, people)
const forgetful = sqlCredentials({ query: db.query }, people)
const [home, other] = await db.query<{ id: string }>('select id from workspaces order by slug limit 2')
const { id: user } = await people.createUser({ email: 'ada@example.com', name: 'Ada', kind: 'person' })
for (const workspace of [home, other]) {
  await db.query("insert into memberships (user_id, workspace_id, role) values ($1, $2, 'viewer')", [user, workspace!.id])
}
const { key, id } = await credentials.createKey({ user, name: 'laptop', scope: 'read' })
const [{ id: exploration = '' } = {}] = await db.query<{ id: string }>('select id from explorations where workspace_id = $1 limit 1', [home!.id])

const seenBy = async (reader: typeof credentials): Promise<unknown> => {
  const verification = await reader.verify(key)
  if (!('principal' in verification)) return verification
  const { credential, user, workspaces, revisions } = verification.principal
  return { credential, user, workspaces: [...workspaces].sort(), revisions: [...revisions?.byWorkspace ?? []].sort() }
}
const VERIFIES = /^\s*with found/
/** Asks until the answer comes from memory. */
const remember = async (t: { ok (value: boolean, name: string): unknown }): Promise<void> => {
  for (let asked = 0; asked < 50; asked++) {
    if (!(await counted(() => seenBy(credentials))).some((statement) => VERIFIES.test(statement))) return
  }
  t.ok(false, 'it is remembered')
}

/** Each with a statement that takes it back. `{…}` are ids. */
const CHANGES: ReadonlyArray<readonly [change: string, back: string]> = [
  ["update credentials set revoked_at = now() where id = '{id}'", "update credentials set revoked_at = null where id = '{id}'"],
  ["update credentials set expires_at = now() - interval '1 s' where id = '{id}'", "update credentials set expires_at = null where id = '{id}'"],
  ["update credentials set scope = 'admin' where id = '{id}'", "update credentials set scope = 'read' where id = '{id}'"],
  ["update credentials set workspace_ids = array['{home}']::uuid[] where id = '{id}'", "update credentials set workspace_ids = null where id = '{id}'"],
  ["update credentials set hash = sha256(hash) where id = '{id}'", "update credentials set hash = decode('{hash}', 'hex') where id = '{id}'"],
  ["update users set deactivated_at = now() where id = '{user}'", "update users set deactivated_at = null where id = '{user}'"],
  ["update users set name = 'Ada L.' where id = '{user}'", "update users set name = 'Ada' where id = '{user}'"],
  [
    "delete from memberships where user_id = '{user}' and workspace_id = '{other}'",
    "insert into memberships (user_id, workspace_id, role) values ('{user}', '{other}', 'viewer')"
  ],
  ["update workspaces set archived_at = now() where id = '{home}'", "update workspaces set archived_at = null where id = '{home}'"],
  ["update explorations set title = title || '!' where id = '{exploration}'", 'select 1'],
  ["delete from explorations where id = '{exploration}'", 'select 1'],
  ['truncate memberships', "insert into memberships (user_id, workspace_id, role) select '{user}', id, 'viewer' from workspaces"],
  ["delete from workspaces where id = '{other}'", 'select 1'],
  ["delete from users where id = '{user}'", 'select 1']
]

t.test('after each change the next verification is as the database is now', { skip: SERVER !== undefined }, async (t) => {
  const [{ hash = '' } = {}] = await db.query<{ hash: string }>("select encode(hash, 'hex') as hash from credentials where id = $1", [id])
  const ids = { id, user, home: home!.id, other: other!.id, exploration, hash }
  const filled = (statement: string) => Object.entries(ids).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), statement)
  for (const [change, back] of CHANGES) {
    await remember(t)
    const before = await seenBy(credentials)
    await db.query(filled(change))
    const after = await seenBy(credentials)
    t.notSame(after, before, change)
    t.same(after, await seenBy(forgetful), change)
    await db.query(filled(back))
    t.same(await seenBy(credentials), await seenBy(forgetful), back)
  }
})

t.test('also after a transaction, and in a session without ordinary triggers', { skip: SERVER !== undefined }, async (t) => {
  const { id: user } = await people.createUser({ email: 'eve@example.com', name: 'Eve', kind: 'person' })
  const { key } = await credentials.createKey({ user, name: 'k', scope: 'read' })
  const works = async () => 'principal' in await credentials.verify(key)
  for (const [revoked, prelude] of [[true, 'select 1'], [false, "select set_config('session_replication_role', 'replica', true)"]] as const) {
    t.equal(await works(), revoked)
    await db.transaction(async (tx) => {
      await tx.query(prelude)
      await tx.query('update users set deactivated_at = case when $2 then now() end where id = $1', [user, revoked])
    })
    t.equal(await works(), !revoked)
  }
  await db.transaction(async (tx) => {
    await tx.query('update users set deactivated_at = now() where id = $1', [user])
    throw new Error('taken back')
  }).catch(() => {})
  t.ok(await works())
})

t.test('a revocation beside verifications: none that begins after it was answered succeeds', { skip: SERVER !== undefined }, async (t) => {
  const { id: user } = await people.createUser({ email: 'bob@example.com', name: 'Bob', kind: 'person' })
  for (let round = 0; round < 30; round++) {
    const { key, id } = await credentials.createKey({ user, name: `k${round}`, scope: 'read' })
    await credentials.verify(key)
    const beside = Array.from({ length: round % 4 }, () => credentials.verify(key))
    const revoking = credentials.revoke('api_key', id)
    beside.push(credentials.verify(key))
    await revoking
    t.notOk('principal' in await credentials.verify(key))
    await Promise.all(beside)
  }
})

t.test('what time changes is read again after ten seconds, and a credential ends on time', (t) => {
  const clock = { changes: 0, now: 1_000_000 }
  const memory = createCredentialCache(() => clock.changes, () => clock.now)
  const add = (key: string, given: { endsAt?: number, stale?: boolean } = {}) =>
    memory.add(key, { endsAt: null, stale: false, ...given }, 0)
  add('lasting')
  add('ending', { endsAt: clock.now + 500 })
  add('stale', { stale: true })
  t.ok(memory.get('lasting'))
  t.ok(memory.get('ending'))
  t.notOk(memory.get('stale'))
  clock.now += 500
  t.notOk(memory.get('ending'))
  clock.now += 9500
  t.ok(memory.get('lasting'))
  clock.now++
  t.notOk(memory.get('lasting'))
  add('lasting')
  clock.changes++
  t.notOk(memory.get('lasting'))
  add('late')
  t.notOk(memory.get('late'), 'read before the change')
  t.end()
})
