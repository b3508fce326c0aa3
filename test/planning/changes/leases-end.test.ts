// What may no longer write holds nothing: each way of taking a right away ends the leases in its own transaction, as the history says.
import t from 'tap'
import { EXPLORATION, planLines, WORKSPACE, writing } from '../../helpers/writing.js'

const server = await writing(t, planLines([{ id: 'a' }]))
const { db, credentials, people, keyFor, policy, use } = server

interface Holder { user: string, credential: string, key: string }

/** Each statement is all that its transaction does. */
const ENDS: ReadonlyArray<readonly [what: string, statement: string, value: (holder: Holder) => unknown]> = [
  ['a revoked credential', 'update credentials set revoked_at = now() where id = $1', ({ credential }) => credential],
  ['a credential whose end was noted', 'update credentials set expires_at = now(), expiry_noted_at = now() where id = $1', ({ credential }) => credential],
  ['a narrower scope', "update credentials set scope = 'read' where id = $1", ({ credential }) => credential],
  ['other workspaces', "update credentials set workspace_ids = '{}' where id = $1", ({ credential }) => credential],
  ['a deleted credential', 'delete from credentials where id = $1', ({ credential }) => credential],
  ['a lower role', "update memberships set role = 'viewer' where user_id = $1", ({ user }) => user],
  ['a lost membership', 'delete from memberships where user_id = $1', ({ user }) => user],
  ['a deactivated user', 'update users set deactivated_at = now() where id = $1', ({ user }) => user],
  ['a policy of reading', "update workspaces set agents = 'read' where id = $1", () => WORKSPACE],
  ['an archived workspace', 'update workspaces set archived_at = now() where id = $1', () => WORKSPACE]
]
const STAYS: typeof ENDS = [
  ['a narrower policy that still writes', "update workspaces set agents = 'propose' where id = $1", () => WORKSPACE],
  ['a higher role', "update memberships set role = 'admin' where user_id = $1", ({ user }) => user],
  ['another name', "update credentials set name = 'other' where id = $1", ({ credential }) => credential],
  ['workspaces with this one', `update credentials set workspace_ids = '{${WORKSPACE}}' where id = $1`, ({ credential }) => credential]
]
const held = async () => (await db.query<{ held: number }>('select count(*)::int as held from leases'))[0]!.held
let count = 0

const claim = async (): Promise<Holder> => {
  await db.query('update workspaces set archived_at = null where id = $1', [WORKSPACE])
  await policy('report')
  await db.query('delete from leases')
  await db.query("update plan_items set status = 'todo', finished = null where exploration_id = $1", [EXPLORATION])
  const { id: user } = await people.createUser({ email: `holder-${++count}@example.com`, name: 'Holder', kind: 'person' })
  await db.query("insert into memberships (user_id, workspace_id, role) values ($1, $2, 'editor')", [user, WORKSPACE])
  const { key, id } = await keyFor('read_write', 'holder', user)
  const claimed = await use(key, 'claim_item', { item_id: 'a' })
  if (!claimed.data['claimed']) throw new Error(claimed.text)
  return { user, credential: id, key }
}

for (const [what, statement, value] of ENDS) {
  t.test(what, async (t) => {
    const holder = await claim()
    t.equal(await held(), 1)
    await t.rejects(db.transaction(async (tx) => {
      await tx.query(statement, [value(holder)])
      throw new Error('no')
    }))
    t.equal(await held(), 1, 'what is not committed ends nothing')
    await db.query(statement, [value(holder)])
    t.equal(await held(), 0)
    const [row] = await db.query('select kind, target, "user", after, events from history order by id desc limit 1')
    t.match(row, { kind: 'lease', target: 'a', user: null, after: { lease: null }, events: [{ kind: 'lease_ended', item_id: 'a' }] })
    t.not((await use(holder.key, 'report_progress', { item_id: 'a', status: 'in_progress' })).data['written'], true, 'and nothing is written')
  })
}

for (const [what, statement, value] of STAYS) {
  t.test(`${what} ends nothing`, async (t) => {
    await db.query(statement, [value(await claim())])
    t.equal(await held(), 1)
  })
}

t.test('what was over before gets no row more', async (t) => {
  const { key } = await claim()
  const rows = async () => (await db.query<{ kind: string }>('select kind from history')).filter(({ kind }) => kind === 'lease').length
  await policy('propose')
  t.match((await use(key, 'report_progress', { item_id: 'a', status: 'done' })).data, { proposed: true }, 'finished')
  const before = await rows()
  await policy('read')
  t.equal(await rows(), before)
  t.equal(await held(), 0)
})

t.test('a credential that has expired writes nothing, also before its end is noted', async (t) => {
  const { key, credential } = await claim()
  await db.query("update credentials set expires_at = now() - interval '1 second' where id = $1", [credential])
  t.equal((await use(key, 'report_progress', { item_id: 'a', status: 'in_progress' })).status, 401)
  await credentials.markExpired()
  t.equal(await held(), 0)
})

t.test('a lease ends no later than its credential', async (t) => {
  const { key, credential } = await claim()
  const [{ ends } = { ends: '' }] = await db.query<{ ends: string }>(
    "update credentials set expires_at = now() + interval '5 minutes' where id = $1 returning rfc3339(expires_at) as ends", [credential])
  t.match((await use(key, 'claim_item', { item_id: 'a', lease_minutes: 60 })).data, { claimed: true, lease: { expires_at: ends } })
})
