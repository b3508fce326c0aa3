// `workspaces list` and `workspaces update`: letting agents write is a decision, which says first who gains by it.
import t from 'tap'
import type { AuditRecord } from '../../src/access/audit/audit-log.js'
import { commandLine } from '../helpers/command-line.js'

interface Listed { slug: string, agents: string, gains?: object[] }

t.test('workspaces are listed and changed', async (t) => {
  const cli = commandLine(t, { env: { USER: 'ada' } })
  await cli.serve('serve --port 0')
  const [first] = await cli.json<Listed[]>('workspaces list')
  const slug = first!.slug
  t.match(first, { agents: 'read' })
  t.match(await cli.run('workspaces list'), { out: /SLUG .*AGENTS/ })
  await cli.json('users create --email ed@example.com --name Ed')
  await cli.json(`members add --user ed@example.com --workspace ${slug} --role editor`)
  await cli.json('keys create --user ed@example.com --name builder --scope read_write')

  const set = `workspaces update ${slug} --agents`
  t.match(await cli.run(`${set} propose`), { code: 1, err: /builder +key +ed@example\.com\n.*there is no terminal to ask/s }, 'no terminal')
  t.match(await cli.type(`${set} propose`, 'n\n'), { code: 1, err: /Nothing was changed/ })
  t.match(await cli.json<Listed[]>('workspaces list'), [{ slug, agents: 'read' }])
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
