// `workspaces`, `proposals`, `questions`, `history`, `undo`: people decide by command what agents may do, and about what they propose
// and ask. Their JSON is a contract.
import t from 'tap'
import type { AuditRecord } from '../../src/access/audit/audit-log.js'
import { modernRequest } from '../helpers/build.js'
import { commandLine } from '../helpers/command-line.js'
import { idOf } from '../helpers/planning.js'

// eslint-disable-next-line typescript/no-explicit-any -- JSON of many shapes
type Json = Record<string, any>
interface Listed { slug: string, agents: string, gains?: object[] }

t.test('decisions by command', async (t) => {
  const cli = commandLine(t, { env: { USER: 'ada' } })
  const { hello } = await cli.serve('serve --port 0 --json')
  const { endpoint } = JSON.parse(hello) as { endpoint: string }
  const exploration = idOf('Pay in instalments')
  for (const [name, role] of [['ed', 'editor'], ['vi', 'viewer'], ['ou', undefined]] as const) {
    await cli.json(`users create --email ${name}@example.com --name ${name}`)
    if (role) await cli.json(`members add --user ${name}@example.com --workspace tillpoint --role ${role}`)
  }
  t.match(await cli.run('users create --email bad --name bad'), { code: 1, err: 'email must be an e-mail address, such as ada@example.com.\n' })
  const { key } = await cli.json<{ key: string }>('keys create --user ed@example.com --name builder --scope read_write')

  await t.test('letting agents write in a workspace says first who gains by it', async (t) => {
    const slug = 'tillpoint'
    const listed = async () => (await cli.json<Listed[]>('workspaces list')).find((one) => one.slug === slug)
    t.match(await listed(), { agents: 'read' })
    t.match(await cli.run('workspaces list'), { out: /SLUG .*AGENTS/ })

    const set = `workspaces update ${slug} --agents`
    t.match(await cli.run(`${set} propose`), { code: 1, err: /builder +key +ed@example\.com\n.*there is no terminal to ask/s }, 'no terminal')
    t.match(await cli.type(`${set} propose`, 'n\n'), { code: 1, err: /Nothing was changed/ })
    t.match(await listed(), { agents: 'read' })
    t.match(await cli.type(`${set} propose`, 'y\n'), { code: 0, out: new RegExp(`^${slug}: agents claim items`), err: /These gain writing by it/ })
    t.match(await cli.run(`${set} read`), { code: 0, out: /agents read only/, err: '' }, 'narrowing does not ask')
    t.match(await cli.json(`${set} report`), { slug, agents: 'report', gains: [{ name: 'builder', owner: 'ed@example.com' }] })
    t.notOk('gains' in await cli.json<Listed>(`${set} propose`))
    t.match(await cli.run(`${set} report --yes`), { code: 0, out: /What these report as done will count at once/ })
    t.match(await cli.run('workspaces update nowhere --agents read'), { code: 1, err: /^There is no workspace "nowhere"\. .*workspaces list shows which there are\.$/m })
    t.match(await cli.run(`${set} write`), { code: 2, err: /Allowed choices are read, propose, report/ })

    const rows = await cli.json<AuditRecord[]>(['audit', '--action', 'workspace/changed'])
    t.same(rows.map(({ action, actor }) => [action, actor]), ['report', 'propose', 'report', 'read', 'propose'].map((agents) => [`workspace/changed agents ${agents}`, 'ada']))
  })

  await cli.json('workspaces update tillpoint --agents propose')
  const use = async (name: string, args: Json): Promise<Json> => {
    const { body, headers } = modernRequest(key, 'tools/call', { name, arguments: { exploration_id: exploration, ...args } })
    const reply = await (await fetch(endpoint, { method: 'POST', headers, body })).json() as Json
    t.notOk(reply['result']?.isError, JSON.stringify(reply))
    return reply['result'].structuredContent
  }
  const plan = await use('get_planning_full', {})
  const item = plan['items'][0] as { id: string, title: string }
  const propose = async (title: string): Promise<string> =>
    (await use('propose_change', { changes: [{ kind: 'edit_item', item_id: item.id, title }], rationale: 'Clearer.', confidence: 'high' }))['proposal_id']

  await t.test('proposals', async (t) => {
    const id = await propose('A clearer title')
    t.same(await cli.json<Json[]>('proposals list --workspace tillpoint --state open'), [{
      id,
      exploration_id: exploration,
      state: 'open',
      changes: [{ kind: 'edit_item', item_id: item.id, title: 'A clearer title' }],
      rationale: 'Clearer.',
      confidence: 'high',
      proposed_by: { user: 'ed@example.com', credential: 'builder', client: 'test/1' },
      created_at: (await cli.json<Json[]>('proposals list'))[0]!['created_at']
    }])
    t.match(await cli.run('proposals list'), { code: 0, out: /STATE .*open .*1: edit_item +Clearer\. +high +ed@example\.com · builder/s })
    t.same(await cli.json('proposals list --workspace kiln'), [])
    for (const who of ['vi', 'ou', 'no-one']) {
      const refused = await cli.run(`proposals accept ${id} --user ${who}@example.com`)
      t.match(refused, { code: 1, out: '', err: /^[A-Z].*\.\n$/ }, `${who}: ${refused.err}`)
      t.equal((await cli.run(['proposals', 'dismiss', id, '--user', `${who}@example.com`, '--reason', 'No'])).code, 1)
    }
    t.match(await cli.run(`proposals accept ${id}`), { code: 2 }, 'someone decides')
    t.match(await cli.json(`proposals accept ${id} --user ed@example.com`), { id, state: 'accepted', decided_by: 'ed@example.com' })
    t.match(await cli.run(`proposals accept ${id} --user ed@example.com`), { code: 1, err: /accepted already/ })
    t.equal((await use('get_planning_full', {}))['items'].find((one: Json) => one['id'] === item.id).title, 'A clearer title')
    const other = await propose('Another title')
    t.match(await cli.json(['proposals', 'dismiss', other, '--user', 'ed@example.com', '--reason', 'Not now.']), { id: other, state: 'dismissed', reason: 'Not now.' })
    t.match(await cli.json<Json[]>('proposals list --state dismissed'), [{ id: other }])
    t.match(await cli.run('proposals accept 0190b6a4-0000-7000-8000-000000000000 --user ed@example.com'), { code: 1, err: /There is no proposal/ })
  })

  await t.test('questions', async (t) => {
    const { question_id: id } = await use('ask_question', { item_id: item.id, question: 'Which currency?' })
    const answer = (user: string) => ['questions', 'answer', id, '--exploration', exploration, '--user', `${user}@example.com`, '--text', 'Euro.']
    t.match(await cli.run(answer('vi')), { code: 1, err: /editor or admin/ })
    t.match(await cli.json(answer('ed')), { id, question: /Which currency\?/, answer: 'Euro.', status: 'answered', item_id: item.id })
    const again = await cli.run([...answer('ed').slice(0, -1), 'Francs.'])
    t.match(again, { code: 1, out: '', err: /^ed@example\.com answered it already, at \S+Z: undo that first, or .*\.\n$/ })
    const [{ id: row } = { id: '' }] = await cli.json<Json[]>(`history --exploration ${exploration} --limit 1`)
    await cli.json(`undo ${row} --user ed@example.com`)
    t.match(await cli.json([...answer('ed').slice(0, -1), 'Francs.']), { answer: 'Francs.' }, 'undone, it is open again')
    t.match(await cli.run(['questions', 'answer', 'none', ...answer('ed').slice(3)]), { code: 1, err: /no question/ })
  })

  await t.test('history and undo', async (t) => {
    const rows = await cli.json<Json[]>(`history --exploration ${exploration}`)
    const edit = rows.find(({ target }) => target.kind === 'item' && target.id === item.id)!
    t.match(edit, { user: 'ed@example.com', before: { title: item.title }, after: { title: 'A clearer title' } })
    for (const row of rows) t.same(Object.keys(row).filter((name) => !/^(id|at|user|credential|client|tool|target|before|after|undoes)$/.test(name)), [])
    const [newest, second] = await cli.json<Json[]>(`history --exploration ${exploration} --limit 2`)
    t.match(await cli.json(`history --exploration ${exploration} --limit 1 --before ${newest!['id']}`), [{ id: second!['id'] }])
    t.match(await cli.run(`history --exploration ${exploration}`), { code: 0, out: /WHAT .*item /s })
    t.match(await cli.run('history --exploration 0190b6a4-0000-7000-8000-000000000000'), { code: 1, err: /There is no exploration/ })

    t.match(await cli.run(`undo ${edit['id']} --user vi@example.com`), { code: 1, err: /editor or admin/ })
    t.match(await cli.json(`undo ${edit['id']} --user ed@example.com`), { undoes: edit['id'], user: 'ed@example.com', before: { title: 'A clearer title' }, after: { title: item.title } })
    t.equal((await use('get_planning_full', {}))['items'].find((one: Json) => one['id'] === item.id).title, item.title)
    t.match(await cli.run('undo 999999 --user ed@example.com'), { code: 1, err: /There is no/ })
  })

  await t.test('lists that are read in pages are printed whole', async (t) => {
    const changes = Array.from({ length: 2 }, (_, n) => ({ kind: 'add_item', group_id: plan['items'][0].group_id, title: `${n}`, description: 'x'.repeat(50_000) }))
    const before = (await cli.json<Json[]>('proposals list')).length
    for (let n = 0; n < 12; n++) await use('propose_change', { changes, rationale: 'Clearer.' })
    t.equal(new Set((await cli.json<Json[]>('proposals list')).map(({ id }) => id)).size, before + 12)
    t.equal(new Set((await cli.json<Json[]>(`history --exploration ${exploration} --limit 15`)).map(({ id }) => id)).size, 15)
  })

  await t.test('no text of it is in the audit log', async (t) => {
    t.notMatch((await cli.run('audit --ndjson')).out, /Clearer|clearer|Euro|currency|Not now/)
  })
})
