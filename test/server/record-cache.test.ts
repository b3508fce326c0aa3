// Records that are read again come from memory while they are unchanged, and only then: after each change of the database,
// anyone who made it, the next call of every tool and resource is answered as by a server that remembers nothing.
import t, { type Test } from 'tap'
import { sqlCredentials } from '../../src/db/credentials/sql-credentials.js'
import { directory } from '../../src/db/people/sql-directory.js'
import { keysOf } from '../../src/lib/json/json-object.js'
import { build, modern } from '../helpers/build.js'
import { countingDatabase } from '../helpers/counting-database.js'
import { SERVER } from '../helpers/database.js'

interface Answer { result?: { isError?: boolean }, error?: object }

// Not counted: what verifies credentials, notes their use, and records audit events.
const OF_EACH_CALL = /^\s*(?:with found as materialized|insert into audit_events|update credentials)/
const { db, counted } = await countingDatabase(t, { ignored: OF_EACH_CALL })

/** The exploration that has most kinds of parts, and another of the same workspace. */
const [{ id = '', workspace = '', other = '', foreign = '' } = {}] = await db.query<Record<string, string>>(`
  select e.id::text as id, e.workspace_id::text as workspace,
    (select o.id::text from explorations o where o.workspace_id = e.workspace_id and o.id <> e.id order by o.id limit 1) as other,
    (select o.workspace_id::text from explorations o where o.workspace_id <> e.workspace_id order by o.id limit 1) as foreign
  from explorations e join execution_plans x on x.exploration_id = e.id and x.compilation_state = 'compiled'
  where exists (select from requirement_packages p where p.exploration_id = e.id and p.artifact_type = 'code')
    and exists (select from recommendations r where r.exploration_id = e.id and r.status = 'approved')
    and exists (select from plan_gates g where g.exploration_id = e.id)
    and exists (select from plan_conflicts c where c.exploration_id = e.id)
    and exists (select from plan_dependencies d where d.exploration_id = e.id and d.kind = 'blocks')
  order by e.id limit 1`)
if (id === '') throw new Error('the sample has no exploration with all kinds of parts')

const tool = (name: string, args: object = {}) => ['tools/call', { name, arguments: { exploration_id: id, ...args } }] as const
const CALLS = {
  get_exploration: tool('get_exploration'),
  get_requirement_package: tool('get_requirement_package', { artifact_type: 'code' }),
  get_planning_state: tool('get_planning_state'),
  get_planning_full: tool('get_planning_full'),
  get_recommendations: tool('get_recommendations'),
  exploration: ['resources/read', { uri: `service://exploration/${id}` }],
  artifact: ['resources/read', { uri: `service://exploration/${id}/artifact/code` }],
  list: ['resources/read', { uri: `service://workspace/${workspace}/explorations` }]
} as const
type Name = keyof typeof CALLS
const NAMES = keysOf(CALLS)

const MANY = { rateLimitReadPerMinute: '100000', rateLimitReadPerDay: '100000' }
const one = await build(t, MANY, [], db)
const replica = await build(t, MANY, [], db)
const real = sqlCredentials(db, directory(db))
/** Has no revisions to compare, so it reads everything again. */
const forgetful = await build(t, MANY, [], db, undefined, {
  credentials: {
    ...real,
    async verify (...given) {
      const verification = await real.verify(...given)
      return 'principal' in verification ? { principal: { ...verification.principal, revisions: undefined } } : verification
    }
  }
})
const { key } = one

const ask = async ({ app }: typeof one, name: Name, secret = key): Promise<string> => {
  const { body, status } = await modern<Answer>(app, secret, CALLS[name][0], CALLS[name][1])
  return JSON.stringify([status, body])
}

const askAll = async (server: typeof one, secret = key, names: readonly Name[] = NAMES): Promise<Record<string, string>> => {
  const answers: Record<string, string> = {}
  for (const name of names) answers[name] = await ask(server, name, secret)
  return answers
}

t.test('a record that was read once costs no statement of its own while it is unchanged', async (t) => {
  for (const name of NAMES) {
    await ask(one, name)
    t.strictSame(await counted(() => ask(one, name)), [], name)
  }
  t.strictSame(await askAll(one), await askAll(forgetful))

  await db.query("update workspaces set name = name || '!' where id = $1", [foreign])
  t.strictSame(await counted(() => askAll(one)), [], 'nor when another workspace changes')

  await db.query('update explorations set title = title where id = $1', [other])
  const again = await counted(() => ask(one, 'get_exploration'))
  t.equal(again.length, 1, 'and it is read once more after a change of its own workspace')
  t.strictSame(await counted(() => ask(one, 'get_exploration')), [])
})

t.test('another caller gets it from memory too, and one who may not see it gets nothing', async (t) => {
  const [{ email = '' } = {}] = await db.query<{ email: string }>(`
    select u.email from users u where not exists (
      select from memberships m where m.user_id = u.id and m.workspace_id = $1) order by u.email limit 1`, [workspace])
  const { key: stranger } = await one.credentials.createKey({ user: email, name: 'stranger', scope: 'read' })
  const before = await askAll(one)
  const answers = await askAll(one, stranger)
  for (const name of NAMES) t.match(answers[name], /There is no|cannot see/, name)
  t.strictSame(answers, await askAll(forgetful, stranger))
  const users = await db.query<{ user_id: string }>('select user_id from memberships where workspace_id = $1 limit 1', [workspace])
  const { key: colleague } = await one.credentials.createKey({ user: users[0]!.user_id, name: 'colleague', scope: 'read' })
  t.strictSame(await counted(async () => t.strictSame(await askAll(one, colleague), before)), [])
})

const PLAN = "where exploration_id = '{id}'"
const FIRST_ITEM = `(select id from plan_items ${PLAN} order by position limit 1)`

/** What each statement changes; `{id}` is the exploration, `{other}` another of its workspace, `{foreign}` another workspace. */
const PLAN_PARTS = ['get_planning_state', 'get_planning_full'] as const
const CHANGES: ReadonlyArray<readonly [statement: string, changes: readonly Name[]]> = [
  ["update explorations set title = 'Another title' where id = '{id}'", ['get_exploration', 'exploration', 'list']],
  ["update workspaces set name = 'Another name' where id = '{workspace}'", ['get_exploration', 'exploration']],
  [`update requirement_packages set markdown = 'Another text' ${PLAN} and artifact_type = 'code'`, ['get_requirement_package', 'artifact']],
  [`insert into requirement_packages select exploration_id, 'zeta', title, markdown, version, updated_at from requirement_packages
    ${PLAN} and artifact_type = 'code'`, ['get_exploration', 'exploration']],
  [`update execution_plans set compilation_state = 'stale' ${PLAN}`, ['get_exploration', ...PLAN_PARTS]],
  ['insert into plan_groups (exploration_id, id, position, title, "order") values (\'{id}\', \'new-group\', 99, \'New\', 99)', PLAN_PARTS],
  [`update plan_items set status = 'blocked' ${PLAN} and id = ${FIRST_ITEM}`, PLAN_PARTS],
  [`insert into plan_items (exploration_id, id, position, group_id, title, status, "order")
    select exploration_id, 'new-item', 99, group_id, 'New', 'todo', 99 from plan_items ${PLAN} and id = ${FIRST_ITEM}`, PLAN_PARTS],
  [`insert into plan_dependencies (exploration_id, position, item_id, depends_on, kind) values ('{id}', 99, 'new-item', ${FIRST_ITEM}, 'blocks')`, PLAN_PARTS],
  [`delete from plan_dependencies ${PLAN} and position = 99`, PLAN_PARTS],
  [`update plan_gates set status = case status when 'open' then 'failed' else 'open' end ${PLAN}`, PLAN_PARTS],
  [`delete from plan_conflicts ${PLAN}`, PLAN_PARTS],
  [`update recommendations set exploration_id = '{other}' ${PLAN}`, ['get_exploration', 'get_recommendations', 'exploration']],
  [`insert into recommendations (id, exploration_id, kind, title, body, status)
    values ('00000000-0000-4000-8000-000000000001', '{id}', 'strategy', 'New', 'New', 'approved')`, ['get_exploration', 'get_recommendations', 'exploration']],
  ['truncate recommendations', ['get_exploration', 'get_recommendations', 'exploration']],
  ["update explorations set workspace_id = '{foreign}' where id = '{id}'", ['get_exploration', 'exploration', 'list']],
  ["update explorations set workspace_id = '{workspace}' where id = '{id}'", ['get_exploration', 'exploration', 'list']],
  ["delete from explorations where id = '{id}'", NAMES]
]

const filled = (statement: string): string =>
  statement.replaceAll('{id}', id).replaceAll('{other}', other).replaceAll('{workspace}', workspace).replaceAll('{foreign}', foreign)

/** Both replicas answer as the one that remembers nothing, and remember that. Of other names the next whole question finds out. */
const requireFresh = async (
  t: Test, changed: readonly Name[], before: Readonly<Record<string, string>>
): Promise<Record<string, string>> => {
  const expected = await askAll(forgetful, key, changed)
  for (const name of changed) t.not(expected[name], before[name], `${name} changes`)
  t.strictSame(await askAll(one, key, changed), expected, 'one replica')
  t.strictSame(await askAll(replica, key, changed), expected, 'another replica')
  return { ...before, ...expected }
}

t.test('a transaction that is rolled back changes nothing; one that rolls back a part, or without ordinary triggers, changes the rest', async (t) => {
  const before = await askAll(one)
  await t.rejects(db.transaction(async (tx) => {
    await tx.query("update explorations set title = 'Rolled back' where id = $1", [id])
    throw new Error('rolled back')
  }))
  t.strictSame(await counted(async () => t.strictSame(await askAll(one), before)), [])
  await askAll(replica)
  await db.transaction(async (tx) => {
    await tx.query("set local session_replication_role = 'replica'")
    await tx.query("update explorations set title = 'Stays' where id = $1", [id])
    await tx.query('savepoint part')
    await tx.query('update execution_plans set version = 77 where exploration_id = $1', [id])
    await tx.query('rollback to savepoint part')
  })
  await requireFresh(t, ['get_exploration', 'exploration'], before)
})

t.test('transactions that change one workspace side by side are both seen, whichever commits first', {
  skip: SERVER === undefined && 'one connection'
}, async (t) => {
  const before = await askAll(one)
  const begun: Array<() => void> = []
  const ended: Array<Promise<void>> = []
  for (const statement of [
    `update plan_items set title = 'The later commit' ${PLAN} and id = ${FIRST_ITEM}`, "update explorations set title = 'The earlier commit' where id = '{id}'"
  ]) {
    await new Promise<void>((resolve, reject) => {
      ended.push(db.transaction(async (tx) => {
        await tx.query(filled(statement))
        const mayCommit = new Promise<void>((resolve) => { begun.push(resolve) })
        resolve()
        await mayCommit
      }))
      ended.at(-1)?.catch(reject)
    })
  }
  t.strictSame(await askAll(one), before, 'nothing of open transactions is seen')
  begun[1]?.()
  await ended[1]
  await requireFresh(t, ['get_exploration', 'exploration'], before)
  const between = await askAll(one)
  begun[0]?.()
  await ended[0]
  await requireFresh(t, ['get_planning_full'], between)
})

t.test('what revokes access works at the next call', async (t) => {
  const [{ user_id: user = '' } = {}] = await db.query<{ user_id: string }>(`
    select user_id from memberships group by user_id order by count(*) desc limit 1`)
  const create = async () => (await one.credentials.createKey({ user, name: 'revoked', scope: 'read' }))
  const revoke: ReadonlyArray<readonly [statement: string, again?: string]> = [
    ["delete from memberships where workspace_id = '{workspace}' and user_id = '{user}'",
      "insert into memberships (user_id, workspace_id, role) values ('{user}', '{workspace}', 'viewer')"],
    ["update workspaces set archived_at = now() where id = '{workspace}'", "update workspaces set archived_at = null where id = '{workspace}'"],
    ["update users set deactivated_at = now() where id = '{user}'", "update users set deactivated_at = null where id = '{user}'"],
    ["update credentials set workspace_ids = array['{foreign}'::uuid] where id = '{credential}'"],
    ["update credentials set revoked_at = now() where id = '{credential}'"]
  ]
  for (const [statement, again] of revoke) {
    const { key: secret, id: credential } = await create()
    const fill = (text: string) => filled(text).replaceAll('{user}', user).replaceAll('{credential}', credential)
    t.notMatch(await ask(one, 'get_exploration', secret), /There is no/)
    await db.query(fill(statement))
    const after = await askAll(one, secret)
    for (const name of NAMES) t.match(after[name], /There is no|cannot see|401/, `${name} after ${statement}`)
    if (again !== undefined) await db.query(fill(again))
  }
})

t.test('a change by SQL is seen', async (t) => {
  let before = await askAll(one)
  t.strictSame(await askAll(replica), before)
  for (const [statement, changed] of CHANGES) {
    await t.test(statement.replaceAll(/\s+/g, ' '), async (t) => {
      await db.query(filled(statement))
      before = await requireFresh(t, changed, before)
    })
  }
  t.strictSame(await askAll(one), await askAll(forgetful))
})

t.test('a workspace that is deleted leaves nothing, and one with its id again begins anew', async (t) => {
  const revision = async () => await db.query('select revision from workspace_revisions where workspace_id = $1', [workspace])
  const before = await revision()
  t.equal(before.length, 1)
  const [row] = await db.query<{ json: string }>('select row_to_json(w)::text as json from workspaces w where id = $1', [workspace])
  await db.query('delete from workspaces where id = $1', [workspace])
  t.strictSame(await revision(), [])
  await db.query('insert into workspaces select * from json_populate_record(null::workspaces, $1::json)', [row?.json])
  t.equal((await revision()).length, 1)
  t.notSame(await revision(), before)
  t.strictSame(await db.query('select * from uncommitted_workspace_changes'), [])
})
