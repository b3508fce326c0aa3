// The patch of a plan: for editors of its workspace, where the server follows the files.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { PlanImport } from '../../../src/importers/plan-import.js'
import { git } from '../../helpers/git.js'
import { webServer } from '../../helpers/web.js'

/* eslint-disable @typescript-eslint/no-explicit-any -- a test looks into answers of any form */
const LATIN_1 = Buffer.from('# Été\n\n- [ ] Déjà\n', 'latin1')

t.test('what was changed here becomes a patch, and is recognised when it is applied', async (t) => {
  const server = await webServer(t)
  const { backend } = server
  const folder = join(t.testdir({ shop: { 'TODO.md': LATIN_1, 'PLAN.md': '# Ship\n\n## Now\n\n- [ ] First\n' } }), 'shop')
  git(folder, 'init', '-q')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', 'one')
  const plans = await PlanImport.open(folder, { cwd: '/', workspace: 'files' })
  const importAgain = async () => await backend.syncPlans(Readable.from(plans.lines(await plans.convert())), () => {})
  await importAgain()
  const { browser: editor } = await server.newPerson('editor', 'files', 'editor')
  const { explorations } = (await editor.call<any>('GET', '/explorations')).body
  const pathOf = (title: string): string => `/explorations/${explorations.find((one: any) => one.title === title).id}`
  const patch = async (title: string) => await editor.call<any>('GET', `${pathOf(title)}/patch`)
  const done = async (title: string, item: string) => {
    const { revision } = (await editor.call<any>('GET', `${pathOf(title)}/records/item/${item}`)).body
    const changes = [{ kind: 'set_item', item_id: item, status: 'done' }]
    t.equal((await editor.call('POST', `${pathOf(title)}/changes`, { changes }, { 'if-match': `"${revision}"` })).status, 200)
  }

  await done('Ship', 'g1-1')
  t.match(await patch('Ship'), { status: 422, body: { detail: /^This server does not follow the files\. Run .*exploration-mcp patch in/ } })
  backend.planFiles.follow({ plans, writes: false, onLeft: () => {} })
  t.match((await patch('Ship')).body, { encoding: 'utf-8', files: ['PLAN.md'], left: [], patch: /\n-- \[ \] First\n\+- \[x\] First\n$/ })
  t.equal(readFileSync(join(folder, 'PLAN.md'), 'utf8'), '# Ship\n\n## Now\n\n- [ ] First\n', 'the file is as it was')
  t.same((await patch('Été')).body, { patch: '', encoding: 'utf-8', files: [], left: [] })

  await done('Été', 'g1-1')
  const { patch: text, encoding } = (await patch('Été')).body
  t.equal(encoding, 'base64')
  execFileSync('git', ['apply', '-'], { cwd: folder, input: Buffer.from(text, encoding) })
  t.equal(readFileSync(join(folder, 'TODO.md'), 'latin1'), '# Été\n\n- [x] Déjà\n')
  t.equal((await importAgain()).imported?.kept, undefined)
  t.equal((await patch('Été')).body.patch, '')
})
