// @own-process: starts servers of two builds.
// A replica of an earlier build goes on serving while one of this build migrates its PostgreSQL and joins it; and starts on it afterwards.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { NO_SERVICES } from '../helpers/replicas.js'
import { ownDatabase, SERVER } from '../helpers/database.js'
import { PROGRAM } from '../helpers/program.js'
import { VALKEY } from '../helpers/valkey.js'
import { PREVIOUS, releasedBuild } from './released-build.js'
import { callTool, findIds, readEverything, startServer, withoutArchivedInCounts } from '../helpers/server-process.js'

const NEW = PROGRAM.at(-1)!
const OLD = NO_SERVICES ? undefined : await releasedBuild(PREVIOUS)
const WORKSPACE = '0b1f6f0a-6c58-4a6e-9d57-0f6a4f5e0001'

const NOW = '2026-11-01T09:00:00.000Z'

const record = (id: string, title: string, summary: string): object =>
  ({
    type: 'exploration',
    id,
    workspace_id: WORKSPACE,
    title,
    status: 'ready',
    tags: [],
    summaries: [{ kind: 'summary', text: summary }],
    questions: [],
    created_at: NOW,
    updated_at: NOW
  })

const importFile = async (t: Test, lines: object[]): Promise<string> => {
  const path = `${t.testdir()}/records.ndjson`
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

t.test('replicas of two builds on one PostgreSQL', {
  skip: NO_SERVICES || (OLD === undefined && `no ${PREVIOUS} in the history`)
}, async (t) => {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: await ownDatabase(t, SERVER!),
    VALKEY_URL: VALKEY!,
    SESSION_SECRET: 'one secret of all replicas, long enough to be one',
    LOG_LEVEL: 'fatal'
  }
  const command = async (program: string, ...args: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [program, ...args], { env })).stdout

  await command(OLD!, 'migrate')
  const old = await startServer(t, OLD!, [], env)
  const { key } = old
  if (key === undefined) throw new Error('a first start prints a key')
  const before = await readEverything(old.endpoint, key)

  await command(NEW, 'migrate')
  const server = await startServer(t, NEW, [], env)
  t.same(await readEverything(server.endpoint, key), withoutArchivedInCounts(before), 'the new replica answers the same')
  t.same(await readEverything(old.endpoint, key), before, 'and so does the old one, on the new schema')

  const created = JSON.parse(await command(NEW, 'keys', 'create', '--user', 'mira.okafor@example.com', '--name', 'both', '--scope', 'read', '--json'))
  for (const { endpoint } of [old, server]) t.equal((await callTool(endpoint, created.key, 'ping')).status, 200)
  await command(NEW, 'keys', 'revoke', created.id)
  for (const { endpoint } of [old, server]) t.equal((await callTool(endpoint, created.key, 'ping')).status, 401, 'revoked at once')

  const user = JSON.parse(await command(NEW, 'users', 'list', '--json')).find(({ email }: { email: string }) =>
    email === 'mira.okafor@example.com')
  for (const [n, program] of [OLD!, NEW].entries()) {
    const id = `0b1f6f0a-6c58-4a6e-9d57-0f6a4f5e00${n + 10}`
    const title = ['Zeppelin mooring masts', 'Submarine escape hatches'][n]!
    await command(program, 'import', await importFile(t, [
      { type: 'workspace', id: WORKSPACE, slug: 'vessels', name: 'Vessels', created_at: NOW },
      { type: 'membership', user_id: user.id, workspace_id: WORKSPACE, role: 'viewer' },
      record(id, title, `What ${title.toLowerCase()} are for.`)
    ]))
    for (const { endpoint } of [old, server]) {
      t.equal((await findIds(endpoint, key, title))[0], id, `${title}: imported by one build, found by both`)
    }
  }
  await Promise.all([old.stop(), server.stop()])

  await command(OLD!, 'migrate')
  const back = await startServer(t, OLD!, [], env)
  t.match(await findIds(back.endpoint, key, 'Submarine escape hatches'), ['0b1f6f0a-6c58-4a6e-9d57-0f6a4f5e0011'], 'the earlier build serves again')
  await back.stop()
})
