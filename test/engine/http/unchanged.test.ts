// What is unchanged is made into a reply once; nothing of that may show in what a caller reads, or who may read it.
import t from 'tap'
import type { FastifyInstance } from 'fastify'
import { build, handshake, legacy, modern } from '../../helpers/build.js'
import { idOf } from '../../helpers/planning.js'

interface Read {
  result: { isError?: boolean, content: Array<{ text: string }>, structuredContent?: Record<string, unknown>, resultType?: string }
}

const ID = idOf('Pay in instalments')
const request = (more: object = {}) => ({ name: 'get_exploration', arguments: { exploration_id: ID, ...more } })

const legacyReader = async (app: FastifyInstance, key: string, revision: string) => {
  const session = await handshake(app, key, revision)
  return async (more?: object) =>
    (await legacy<Read>(app, key, session, 'tools/call', request(more), { 'mcp-protocol-version': revision })).body.result
}

t.test('each change of what it shows is in the next reply, in every revision', async (t) => {
  const { app, key, db } = await build(t)
  const readers = {
    modern: async (more?: object) => (await modern<Read>(app, key, 'tools/call', request(more))).body.result,
    '2025-11-25': await legacyReader(app, key, '2025-11-25'),
    '2025-03-26': await legacyReader(app, key, '2025-03-26')
  }
  const changes: Array<[statement: string, shows: RegExp]> = [
    ["update explorations set title = 'Another title' where id = $1", /Another title/],
    ["update explorations set summaries = jsonb_set(summaries, '{0,text}', '\"another summary\"') where id = $1", /another summary/],
    ["update requirement_packages set version = 77 where exploration_id = $1 and artifact_type = 'design'", /version"?:? ?77/],
    ["update execution_plans set compilation_state = 'failed' where exploration_id = $1", /failed/],
    ["update recommendations set status = 'rejected' where exploration_id = $1", /(?:recommendations: |recommendation_count":)0/],
    ["update workspaces set name = 'Another workspace' where id = (select workspace_id from explorations where id = $1)", /Another workspace/]
  ]
  for (const [statement, shows] of changes) {
    for (const [name, read] of Object.entries(readers)) {
      const before = await read()
      t.notMatch(JSON.stringify(before), shows, `${name}: ${shows}`)
      t.strictSame(await read(), before)
    }
    await db.query(statement, [ID])
    for (const [name, read] of Object.entries(readers)) {
      const { content, structuredContent } = await read()
      t.match(content[0]!.text, shows, `${name}: ${shows}`)
      if (name === '2025-03-26') t.equal(structuredContent, undefined)
      else t.match(JSON.stringify(structuredContent), shows, `${name}: ${shows}`)
    }
  }
  await db.query('delete from explorations where id = $1', [ID])
  for (const read of Object.values(readers)) t.match((await read()).content[0]!.text, /no exploration with this id/)
})

t.test('replies differ as their requests do: by era, by what is asked for, by id', async (t) => {
  const { app, key } = await build(t)
  const old = await legacyReader(app, key, '2025-11-25')
  for (let again = 0; again < 2; again++) {
    const { body } = await modern<Read & { id: number }>(app, key, 'tools/call', request())
    t.match(body, { id: 1, result: { resultType: 'complete' } })
    t.notOk('resultType' in await old())
    const open = (await old({ questions: 'open' })).structuredContent!['questions'] as object[]
    t.match(open, [{ status: 'open' }])
    t.ok(open.length < (body.result.structuredContent!['questions'] as object[]).length)
  }
})

t.test('anyone who may not see it, or not any more, is refused though it was just read', async (t) => {
  const { app, key, people, credentials, db } = await build(t)
  const read = async (by: string) =>
    (await modern<Read>(app, by, 'tools/call', request())).status === 403 ? 'refused' : 'read'
  const [{ workspace } = { workspace: '' }] = await db.query<{ workspace: string }>('select workspace_id::text as workspace from explorations where id = $1', [ID])
  const members = (await db.query<{ user: string }>('select user_id::text as user from memberships where workspace_id = $1', [workspace])).map(({ user }) => user)
  const stranger = (await people.listUsers()).find(({ id }) => !members.includes(id))!
  const { token } = await credentials.createToken({ user: stranger.id, name: 'stranger' })
  t.strictSame([await read(key), await read(token), await read(key)], ['read', 'refused', 'read'])
  for (const user of members) await people.removeMember({ user, workspace })
  t.equal(await read(key), 'refused')
})
