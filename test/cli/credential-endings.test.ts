// `credentials replay` and `credentials end`, while a server serves. After a restore: test/administration/credential-endings.test.ts.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { modernRequest } from '../helpers/build.js'
import { commandLine } from '../helpers/command-line.js'

interface Counts { ended: { keys: number, tokens: number, connections: number, sessions: number } }

t.test('credentials that are revoked again', async (t) => {
  const files = t.testdir({ 'records.ndjson': '{"type":"workspace"}\n', 'audit.csv': 'id,at,action\n1,2026-01-01T00:00:00Z,x\n', 'empty.ndjson': '' })
  const cli = commandLine(t, { data: join(files, 'data') })
  const { endpoint } = JSON.parse((await cli.serve('serve --port 0 --no-sample --json')).hello) as { endpoint: string }
  await cli.json('users create --email ada@example.com --name Ada --server-admin')
  const keyOf = (name: string) => cli.json<{ id: string, key: string }>(`keys create --name ${name} --scope read`)
  const tokenOf = (name: string) => cli.json<{ id: string, token: string }>(`tokens create --name ${name}`)
  const [lost, kept, token, second] = [await keyOf('lost'), await keyOf('kept'), await tokenOf('lost'), await tokenOf('second')]
  const statusOf = async (secret: string): Promise<number> => (await fetch(endpoint, modernRequest(secret, 'tools/list'))).status
  for (const secret of [lost.key, token.token]) t.equal(await statusOf(secret), 200)
  const at = new Date().toISOString()
  const revoked = [lost, token].map(({ id }) => `${JSON.stringify({ at, action: 'credential/revoked', outcome: 'ok', credential_id: id })}\n`).join('')
  const log = join(files, 'audit.ndjson')
  const replay = (path: string) => ['credentials', 'replay', '--audit', path]

  const WHAT = 'Give what "audit --ndjson" printed, or the NDJSON of the page Audit log. Nothing was ended.\n'
  writeFileSync(join(files, 'half.ndjson'), `${revoked}{"at":"never","action":"ping","outcome":"ok"}\n`)
  for (const [name, reason] of [
    ['records.ndjson', 'Line 1 is no event of an audit log.'], ['audit.csv', 'Line 1 is no event of an audit log.'],
    ['half.ndjson', 'Line 3 is no event of an audit log.'], ['empty.ndjson', 'There is no event.']
  ] as const) t.same(await cli.run(replay(join(files, name))), { code: 1, out: '', err: `${reason} ${WHAT}` })
  t.match(await cli.run(replay('/absent')), { code: 1, err: 'There is no file /absent.\n' })
  t.match(await cli.run('credentials replay'), { code: 2, err: /--audit/ })
  t.equal(await statusOf(lost.key), 200)

  writeFileSync(log, revoked)
  t.same(await cli.json<Counts>(replay(log)), { ended: { keys: 1, tokens: 1, connections: 0, sessions: 0 } })
  for (const secret of [lost.key, token.token]) t.equal(await statusOf(secret), 401, 'dead at the next call')
  t.equal(await statusOf(kept.key), 200, 'what was not revoked goes on')
  writeFileSync(`${log}.gz`, gzipSync(readFileSync(log)))
  t.same(await cli.json<Counts>(replay(`${log}.gz`)), { ended: { keys: 0, tokens: 0, connections: 0, sessions: 0 } }, 'once')
  t.match(await cli.json('audit --action credentials/'), [{ action: 'credentials/replayed' }, { action: 'credentials/replayed' }])

  const later = new Date().toISOString()
  const fresh = await keyOf('fresh')
  const end = ['credentials', 'end', '--issued-before', later]
  t.match(await cli.run('credentials end --yes'), { code: 2, err: /--issued-before/ })
  t.match(await cli.run('credentials end --issued-before soon --yes'), { code: 2, err: /Give a time \(2026-07-28T09:30:00Z\), a date, or how long ago \(24h, 7d\)\./ })
  t.match(await cli.type(end, 'no\n'), { code: 1, err: /End all keys[^]*Nothing was changed/ })
  t.match(await cli.run(end), { code: 1, err: 'Nothing was changed: there is no terminal to ask for confirmation. Add --yes to do it.\n' })
  t.equal(await statusOf(kept.key), 200)
  t.same(await cli.json<Counts>([...end, '--yes']), { ended: { keys: 1, tokens: 1, connections: 0, sessions: 0 } })
  for (const secret of [kept.key, second.token]) t.equal(await statusOf(secret), 401)
  t.equal(await statusOf(fresh.key), 200, 'what is newer goes on')
})
