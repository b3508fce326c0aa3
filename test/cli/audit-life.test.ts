// The audit log as an operator sees it: every command on a real database, while the server serves.
import t from 'tap'
import type { AuditRecord } from '../../src/access/audit/audit-log.js'
import { modernRequest } from '../helpers/build.js'
import { commandLine } from '../helpers/command-line.js'

interface User { id: string, email: string }
interface Created { id: string, key: string }
type Call = Record<string, unknown>

t.test('the whole life of credentials, reads and refusals', async (t) => {
  const cli = commandLine(t, { env: { USER: 'ada', CONCURRENT_CALLS: '200' } })
  const { hello } = await cli.serve('serve --port 0 --json')
  const { endpoint, key } = JSON.parse(hello) as { endpoint: string, key: string }
  const post = (secret: string | undefined, method: string, params: Call = {}) =>
    fetch(endpoint, modernRequest(secret, method, params))
  const audit = (...flags: string[]) => cli.json<AuditRecord[]>(['audit', ...flags])
  const form = (path: string, fields: Record<string, string>) => fetch(new URL(`/api/v1/device/${path}`, endpoint), {
    method: 'POST', body: new URLSearchParams(fields)
  }).then(async (reply) => [reply.status, await reply.json() as Record<string, string>] as const)

  const robot = await cli.json<User>('users create --email ci@example.com --name CI --kind service_account')
  const workspaces = ((await (await post(key, 'tools/call', { name: 'list_workspaces', arguments: {} })).json()) as
    { result: { structuredContent: { workspaces: Array<{ id: string, slug: string }> } } }).result.structuredContent.workspaces
  const [seen, unseen] = workspaces
  await cli.json(`members add --user ci@example.com --workspace ${seen!.slug} --role viewer`)
  const made = await cli.json<Created>(`keys create --user ci@example.com --name build --scope read --workspace ${seen!.slug} --expires-in 90d`)

  const search = (workspace: string) =>
    post(made.key, 'tools/call', { name: 'find_explorations', arguments: { query: 'refund', workspace_id: workspace } })
  t.equal((await search(seen!.id)).status, 200)
  t.equal((await search(unseen!.id)).status, 403)
  t.equal((await post(made.key, 'resources/read', { uri: 'service://workspaces' })).status, 200)
  t.equal((await post(made.key.replace(/.$/, (last) => last === 'A' ? 'B' : 'A'), 'tools/list')).status, 401)
  t.match(await cli.run(`keys revoke ${made.id}`), { code: 0, out: /Revoked the key build of ci@example\.com/ })
  t.equal((await post(made.key, 'tools/list')).status, 401)

  await t.test('by whom, and once each', async (t) => {
    const life = (await audit('--credential', made.id, '--action', 'credential/')).reverse()
    t.match(life.map(({ action, actor, user_id: user }) => [action, actor, user]), [
      ['credential/created', 'ada', robot.id], ['credential/first_used', undefined, robot.id], ['credential/revoked', 'ada', robot.id]
    ])
    t.equal(life.length, 3)
    const { id } = await cli.json<Created>('keys create --user ci@example.com --name brief --scope read --expires-in 1s')
    let expired: AuditRecord[] = []
    while (expired.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      expired = await audit('--credential', 'brief', '--action', 'credential/expired')
    }
    t.match(expired, [{ credential_id: id, outcome: 'ok' }])
  })

  await t.test('each filter', async (t) => {
    const one = async (flags: string[], holds: (record: AuditRecord) => boolean, least = 1) => {
      const found = await audit(...flags)
      t.ok(found.length >= least, `${flags.join(' ')}: ${found.length}`)
      t.ok(found.every(holds), flags.join(' '))
    }
    await one(['--user', 'ci@example.com'], ({ user_id: user }) => user === robot.id, 6)
    await one(['--user', robot.id.toUpperCase()], ({ user_id: user }) => user === robot.id, 6)
    await one(['--credential', 'build'], ({ credential_id: id }) => id === made.id, 6)
    await one(['--workspace', seen!.slug], ({ workspace_id: id }) => id === seen!.id)
    await one(['--workspace', unseen!.id], ({ workspace_id: id, outcome }) => id === unseen!.id && outcome === 'forbidden')
    await one(['--action', 'tools/call find'], ({ action }) => action === 'tools/call find_explorations', 2)
    await one(['--action', 'resources/read'], ({ action }) => action === 'resources/read service://workspaces')
    await one(['--outcome', 'forbidden'], ({ outcome }) => outcome === 'forbidden')
    await one(['--outcome', 'unauthorized'], ({ outcome, action }) => outcome === 'unauthorized' && /^refused (mistyped|invalid)/.test(action))
    await one(['--since', '1h', '--limit', '3'], ({ at }) => Date.parse(at) > Date.now() - 3_600_000, 3)
    t.strictSame(await audit('--until', '1h'), [])
    t.strictSame(await audit('--since', '2000-01-01', '--until', '2000-01-02T00:00:00Z'), [])
    t.equal((await audit('--limit', '2')).length, 2)
    t.match(await audit('--user', 'ci@example.com', '--action', 'tools/call', '--outcome', 'ok'), [{
      client: 'test/1', remote_address: '127.0.0.1', duration_ms: Number, request_id: String, user_email: 'ci@example.com', credential_name: 'build', workspace: seen!.slug
    }])
    t.match(await cli.run('audit --since yesterday'), { code: 2, err: /Give a time/ })
    t.match(await cli.run('audit --action never'), { code: 0, out: 'No event of the audit log matches.\n' })
    for (const [line, what] of [
      ['audit --user nobody@example.com', 'user "nobody@example.com"'], ['audit --ndjson --user nobody@example.com', 'user "nobody@example.com"'],
      ['audit --credential nobody', 'credential "nobody"'], ['audit --workspace nope', 'workspace "nope"'],
      ['keys list --user nobody@example.com', 'user "nobody@example.com"'], ['connections list --user nobody@example.com', 'user "nobody@example.com"']
    ] as const) t.match(await cli.run(line), { code: 1, out: '', err: `There is no ${what}` }, line)
  })

  await t.test('the export has all of it, a line each, and people read a table', async (t) => {
    await Promise.all(Array.from({ length: 110 }, () => post(key, 'tools/call', { name: 'ping', arguments: {} })))
    const { code, out, err } = await cli.run('audit --ndjson')
    t.match({ code, err }, { code: 0, err: '' })
    const lines = out.trimEnd().split('\n').map((line) => JSON.parse(line) as AuditRecord)
    t.ok(lines.length > 115, `${lines.length} lines, beyond what a list has`)
    t.equal((await audit()).length, 100)
    t.strictSame(
      lines.map(({ id }) => Number(id)),
      [...new Set(lines.map(({ id }) => Number(id)))].sort((one, other) => other - one),
      'in order, none twice'
    )
    t.strictSame(
      (await cli.run('audit --ndjson --credential build')).out.trimEnd().split('\n').map((line) => JSON.parse(line)),
      await audit('--credential', 'build')
    )
    t.notMatch(out, made.key.slice(12), 'no secret in it')
    const table = (await cli.run('audit --credential build --action credential/')).out
    t.match(table, /^AT +USER +CREDENTIAL +ACTION +OUTCOME/)
    t.match(table, /credential\/revoked +ok .* ada$/m)
  })

  await t.test('a tool on another machine: who asks is shown before it gets a token, someone is asked, limits hold, and a denial takes it back until the token is fetched', async (t) => {
    const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
    const ask = async (name: string) => (await form('authorization', { client_id: 'tool', name }))[1]
    const fetched = (asked: Record<string, string>) =>
      form('token', { grant_type: GRANT, device_code: asked['device_code']!, client_id: 'tool' })
    const states = async () =>
      (await cli.json<Array<{ name: string, state: string }>>('device list')).map(({ name, state }) => `${name} ${state}`)
    t.match(await cli.run('device list'), { code: 0, out: /No tool waits/ })
    const asked = await ask('other\u202etop')
    t.match((await cli.run('device list')).out, /other\\u202etop +127\.0\.0\.1 .* pending/)
    t.match(await cli.run(`device approve --yes ${asked['user_code']}`), { code: 1, err: /--user/ }, 'there are several people')
    t.match(await cli.run('device approve BBBB-BBBB --user ci@example.com --yes'), { code: 1, err: /No one waits/ })
    const approve = `device approve ${asked['user_code']} --user ci@example.com`
    const limits = `--scope read --workspace ${seen!.slug} --expires-in 90d`

    t.match(await cli.run(approve), {
      code: 1,
      out: '',
      err: /^other\\u202etop \(asked from 127\.0\.0\.1\) wants a token\.[^]*scope admin[^]*all workspaces[^]*no terminal to ask.*--yes/
    })
    t.match(await cli.run(`${approve} --json`), { code: 1, err: /--yes/ })
    t.match(await cli.type(approve, 'n\n'), { code: 1, err: /Do you know this tool[^]*Nothing was changed/ })
    t.ok((await states()).includes('other\u202etop pending'), 'not decided')
    t.match(await fetched(asked), [400, { error: 'authorization_pending' }])
    t.match(await cli.run(`${approve} --yes --workspace nowhere`), { code: 1, err: /no workspace "nowhere"/ })
    t.match(await cli.type(`${approve} ${limits}`, 'y\n'), {
      code: 0, err: /scope read, for these workspaces: .*, until 20/, out: /^Approved .* takes it back/
    })
    t.match(await cli.run(`${approve} --yes`), { code: 1, err: /approved or denied already/ }, 'no second approval with other limits')

    const other = await ask('mistake')
    t.match(await cli.run(`device approve ${other['user_code']!.toLowerCase()} --user ci@example.com --yes`), { code: 0, out: /^Approved mistake .* for ci@/ })
    t.match(await cli.run(`device deny ${other['user_code']}`), { code: 0, out: /^Denied mistake/ })
    t.match(await fetched(other), [400, { error: 'access_denied' }])

    // Polled once above: not again before its interval is over.
    const third = await ask('limited')
    t.match(await cli.run(`device approve ${third['user_code']} --user ci@example.com --yes ${limits}`), { code: 0 })
    const [status, given] = await fetched(third)
    t.equal(status, 200)
    t.equal((await post(given['access_token'], 'tools/list')).status, 200)
    t.match(await audit('--credential', given['token_id']!, '--action', 'credential/created'), [{ actor: 'device grant, approved by ada', user_id: robot.id }])
    t.ok(Math.abs(Date.parse(given['expires_at']!) - Date.now() - 90 * 86_400_000) < 3_600_000)
    const token = (await cli.json<Array<{ id: string }>>('tokens list')).find(({ id }) => id === given['token_id'])
    t.match(token, { scope: 'read', workspace_ids: [seen!.id] })
    t.match(await cli.run(`device deny ${third['user_code']}`), { code: 1, err: /No one waits/ }, 'too late')
  })
})
