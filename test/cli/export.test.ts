// `export` on the command line: beside a running server and without one, a file that is whole or not there.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { modernRequest } from '../helpers/build.js'
import { commandLine } from '../helpers/command-line.js'
import { alphaLine, textOf } from '../helpers/planning-data.js'

t.test('from a server that serves into an empty one, which then gives the same', async (t) => {
  const cli = commandLine(t)
  const { hello, stop } = await cli.serve('serve --port 0 --json')
  const { endpoint, key } = JSON.parse(hello) as { endpoint: string, key: string }
  const file = join(cli.data, '..', 'all.ndjson.gz')
  const summary = await cli.json<{ file: string, total: number, records: Record<string, number> }>(['export', '--output', file, '--people'])
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  t.equal(summary.total, lines.length)
  t.match(summary, { file, records: { workspace: 3 } })
  t.same(Object.keys(summary.records), [
    'workspace', 'user', 'membership', 'exploration', 'requirement_package', 'execution_plan', 'recommendation'
  ])
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.match(await cli.json(['audit', '--action', 'records/']), [{ action: 'records/exported with people', outcome: 'ok' }])
  const answer = async (endpoint: string, key: string) => {
    const reply = await fetch(endpoint, modernRequest(key, 'tools/call', { name: 'list_workspaces', arguments: {} }))
    return ((await reply.json()) as { result: unknown }).result
  }
  const before = await answer(endpoint, key)
  t.equal((await stop()).code, 0)

  const other = commandLine(t, { data: join(cli.data, '..', 'other') })
  const serving = await other.serve('serve --port 0 --json --no-sample')
  const imported = await other.json<{ total: number }>(['import', file])
  t.equal(imported.total, summary.total)
  const [user] = (await other.json<Array<{ email: string, memberships: number }>>('users list')).sort((a, b) => b.memberships - a.memberships)
  const made = await other.json<{ key: string }>(`keys create --user ${user!.email} --name k --scope read`)
  t.same(await answer((JSON.parse(serving.hello) as { endpoint: string }).endpoint, made.key), before)

  const again = join(cli.data, '..', 'again.ndjson')
  await serving.stop()
  const said = await other.run(['export', '--output', again, '--workspace', 'tillpoint'])
  t.match(said, { code: 0, out: /again\.ndjson: \d+ records\nTYPE +RECORDS\nworkspace +1\nexploration [^]*Without people and memberships: --people adds them\.\n$/ })
  t.notMatch(readFileSync(again, 'utf8'), /"type":"(?:user|membership)"/)
})

t.test('a file is replaced when all is written, and stays as it was when that fails', async (t) => {
  const folder = t.testdir({ 'a.ndjson': 'before\n', sub: {} })
  let failing = false
  const cli = commandLine(t, { data: join(folder, 'data') })
  await cli.json('import -', textOf([alphaLine]))
  const backend = await cli.backend()
  const { exportRecords } = backend
  backend.exportRecords = async function * (selection) {
    yield * exportRecords(selection)
    if (failing) throw new Error('the database is gone')
  }
  const path = join(folder, 'a.ndjson')
  failing = true
  t.match(await cli.run(['export', '--output', path]), { code: 1, out: '', err: /a\.ndjson was not written: The server ended its answer/ })
  t.equal(readFileSync(path, 'utf8'), 'before\n')
  failing = false
  t.match(await cli.run(['export', '--output', path]), { code: 0 })
  t.match(readFileSync(path, 'utf8'), /^\{"type":"workspace"/)
  t.match(await cli.run(['export', '--output', path, '--workspace', 'nowhere']), { code: 1, err: /There is no workspace "nowhere"/ })
  t.match(await cli.run(['export', '--output', join(folder, 'sub')]), { code: 1, err: /sub cannot be written: it is a folder\./ })
  t.match(await cli.run(['export', '--output', join(folder, 'none', 'a')]), { code: 1, err: /There is no folder \S+none\./ })
  t.match(await cli.run(['export']), { code: 2, err: /--output/ })
  t.notOk(readdirSync(folder).some((name) => name.endsWith('.tmp')), 'nothing is left of what failed')
})
