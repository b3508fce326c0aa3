// Importing again: what is the same is not written, what changed gets its next version, what vanished is archived.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { importRecords } from '../../src/importers/records/import-records.js'
import { PlanImport, type PlanImportOptions } from '../../src/importers/plan-import.js'
import { syncPlans } from '../../src/importers/sync/sync-plans.js'
import { database } from '../helpers/database.js'
import { git, repositoryOf } from '../helpers/git.js'

const tasks = '## Phase 1: One\n\n- [x] T001 First\n- [ ] T002 Second (depends on T001)\n'
const feature = (title: string) => ({ 'spec.md': `# Feature Specification: ${title}\n`, 'plan.md': '# Plan\n', 'tasks.md': tasks })

/** A folder and what was imported of it. */
const imports = async (t: Test, files: Parameters<Test['testdir']>[0]) => {
  const db = await database(t)
  const folder = t.testdir(files)
  const explorations = () =>
    db.query<{ id: string, title: string, status: string }>('select id::text as id, title, status from explorations order by title')
  return {
    db,
    folder,
    explorations,
    ids: async () => (await explorations()).map(({ id }) => id).sort(),
    decisions: () => db.query<{ id: string, title: string, status: string }>('select id::text as id, title, status from recommendations order by title, id'),
    packages: () => db.query<{ artifact_type: string, version: number, markdown: string }>(
      "select p.* from requirement_packages p join explorations e on e.id = p.exploration_id where e.title = 'Pay' order by artifact_type"),
    plan: async () => (await db.query(`select p.version, p.compilation_state,
      (select count(*)::integer from plan_items i where i.exploration_id = p.exploration_id) as items
      from execution_plans p join explorations e on e.id = p.exploration_id where e.title = 'Pay'`))[0],
    rename: (from: string, to: string) => { renameSync(`${folder}/${from}`, `${folder}/${to}`) },
    async sync (options: Partial<PlanImportOptions> = {}, path = '') {
      const plans = await PlanImport.open(`${folder}${path}`, { cwd: '/', workspace: 'team', ...options })
      const { sync: counts, imported } = await syncPlans(Readable.from(plans.lines(await plans.convert())), {
        db, importRecords: (records) => importRecords(db, records, { spoolDir: tmpdir() })
      })
      return { ...counts, written_records: imported?.total ?? 0 }
    }
  }
}

t.test('a folder that changes', async (t) => {
  const { db, folder, sync, explorations, decisions, packages, plan, rename } = await imports(t, {
    specs: { '001-pay': feature('Pay'), '002-ship': feature('Ship') },
    docs: { adr: { '0001-a.md': '# A\n\nStatus: accepted\n', '0002-b.md': '# B\n\nStatus: accepted\n' } }
  })
  t.match(await sync(), { explorations: 3, written: 3, unchanged: 0, archived: 0, workspace_created: true })
  t.match(await explorations(), [{ title: 'Decisions' }, { title: 'Pay', status: 'ready' }, { title: 'Ship' }])

  await t.test('again, nothing is written', async (t) => {
    const rows = () => db.query('select id, xmin::text, updated_at from explorations order by id')
    const before = await rows()
    t.match(await sync(), { unchanged: 3, written: 0, written_records: 0, workspace_created: false })
    t.strictSame(await rows(), before)
  })
  await t.test('a task that is done', async (t) => {
    writeFileSync(`${folder}/specs/001-pay/tasks.md`, tasks.replace('- [ ] T002', '- [x] T002'))
    t.match(await sync(), { unchanged: 2, written: 1, written_records: 3 }, 'the exploration, its plan and the package of the tasks')
    t.match(await plan(), { version: 2, compilation_state: 'compiled' })
    t.same((await packages()).map(({ artifact_type: type, version }) => [type, version]), [['code', 2], ['design', 1], ['spec', 1]])
    t.match((await explorations())[1], { status: 'delivered' })
  })
  await t.test('documents that vanish are archived, a plan is stale', async (t) => {
    for (const path of ['specs/001-pay/tasks.md', 'specs/001-pay/plan.md', 'docs/adr/0001-a.md']) rmSync(`${folder}/${path}`)
    t.match(await sync(), { written: 2 })
    t.match(await plan(), { compilation_state: 'stale', items: 2 })
    t.same((await packages()).map(({ markdown }) => markdown.startsWith('> Archived')), [true, true, false])
    t.match(await decisions(), [{ title: 'A', status: 'rejected' }, { title: 'B', status: 'approved' }])
    t.match(await sync(), { written: 0, written_records: 0 })
  })
  await t.test('a feature that vanishes is archived, and comes back as it was', async (t) => {
    const [, , ship] = await explorations()
    rename('specs/002-ship', 'elsewhere')
    t.match(await sync(), { archived: 1 })
    t.match((await explorations())[2], { id: ship?.id, status: 'archived' })
    t.match(await sync(), { archived: 0, written_records: 0 })
    rename('elsewhere', 'specs/002-ship')
    t.match(await sync(), { written: 1 })
    t.match((await explorations())[2], { id: ship?.id, status: 'ready' })
  })
  await t.test('only what was looked for vanishes, and nothing that could not be read', async (t) => {
    t.match(await sync({ format: 'adr' }), { archived: 0 })
    writeFileSync(`${folder}/specs/002-ship/spec.md`, Buffer.from([0, 1, 2, 0, 0, 3]))
    for (const name of ['plan.md', 'tasks.md']) rmSync(`${folder}/specs/002-ship/${name}`)
    t.match(await sync(), { archived: 0 })
  })
  await t.test('another repository of the same workspace with the same folders', async (t) => {
    mkdirSync(`${folder}/other/specs/001-pay`, { recursive: true })
    writeFileSync(`${folder}/other/specs/001-pay/spec.md`, '# Feature Specification: Other\n')
    await t.rejects(sync({}, '/other'), {
      message: /is in .* too, whose plans are in this workspace already: import it into another one with --workspace NAME/
    })
    t.match(await sync({ workspace: 'team-two' }, '/other'), { written: 1, workspace_created: true }, 'what the refusal advises works')
    writeFileSync(`${folder}/other/.exploration-mcp.json`, '{"source": "other"}')
    t.match(await sync({}, '/other'), { written: 1, archived: 0 })
    t.equal((await explorations()).length, 5)
  })
})

t.test('a repository of git', async (t) => {
  const { db, folder, sync, ids, decisions, explorations } = await imports(t, {
    specs: { '001-pay': feature('Pay') },
    docs: { adr: { '0001-a.md': '# A decision that is long enough\n\nStatus: accepted\n\nText.\n' } }
  })
  repositoryOf(folder)
  git(folder, 'remote', 'add', 'origin', 'git@github.com:team/shop.git')
  const commit = git(folder, 'rev-parse', 'HEAD')
  await sync()
  const [before, decided] = [await ids(), await decisions()]
  t.strictSame(await db.query('select url from explorations where id = $1', [(await explorations())[1]?.id]), [
    { url: `https://github.com/team/shop/blob/${commit}/specs/001-pay/spec.md#L1` }
  ])
  t.strictSame(await db.query('select distinct source from import_origins'), [{ source: 'github.com/team/shop' }])

  git(folder, 'mv', 'specs/001-pay', 'specs/007-payment')
  git(folder, 'mv', 'docs/adr/0001-a.md', 'docs/adr/0009-b.md')
  t.match(await sync(), { renamed: 1, archived: 0 }, 'renamed, before the commit')
  git(folder, 'commit', '-qam', 'second')
  t.match(await sync(), { renamed: 0, archived: 0 }, 'and after it')
  t.match(await sync(), { written: 0, written_records: 0 })
  git(folder, 'checkout', '-q', 'HEAD~1')
  t.match(await sync(), { archived: 0 }, 'a branch where it has its old name')
  t.strictSame(await ids(), before)
  t.strictSame(await decisions(), decided)
})

t.test('what is renamed without git knowing keeps its id', async (t) => {
  const { folder, sync, ids, decisions, explorations, rename } = await imports(t, {
    specs: { '001-pay': feature('Pay'), '002-ship': feature('Ship'), '003-a': { 'spec.md': 'No heading\n' } },
    '.kiro': { specs: { lend: { 'tasks.md': '- [ ] 1. Lend\n' } } },
    docs: { adr: { '0001-a.md': '# A\n\nText.\n', '0002-b.md': '# B\n' } }
  })
  await sync()
  const [before, decided] = [await ids(), await decisions()]
  for (const [from, to] of [['specs/001-pay', 'specs/011-payment'], ['specs/003-a', 'specs/013-b'], ['.kiro/specs/lend', '.kiro/specs/loan']] as const) {
    rename(from, to)
  }
  t.match(await sync(), { renamed: 3, archived: 0 }, 'the same files in another folder')
  t.match(await sync(), { renamed: 0, written: 0, archived: 0 })
  rename('specs/002-ship', 'specs/012-ship')
  writeFileSync(`${folder}/specs/012-ship/plan.md`, '# Another plan\n')
  t.match(await sync(), { renamed: 1, archived: 0 }, 'the same title and tasks, with other texts')
  rename('docs/adr/0001-a.md', 'docs/adr/0003-a.md')
  await sync()
  t.strictSame(await decisions(), decided)
  writeFileSync(`${folder}/docs/adr/0004-a.md`, '# A\n\nAgain.\n')
  await sync()
  t.equal((await decisions()).length, 3, 'a second one with its title is another')
  rename('docs/adr', 'docs/decisions')
  t.match(await sync(), { renamed: 1, archived: 0 }, 'the folder of decisions')
  t.equal((await decisions()).length, 3)
  rename('specs/011-payment', 'elsewhere')
  t.match(await sync(), { archived: 1 })
  rename('elsewhere', 'specs/021-payment')
  t.match(await sync(), { renamed: 1, archived: 0 }, 'gone first, and back later under another name')
  t.notOk((await explorations()).some(({ status }) => status === 'archived'))
  t.strictSame(await ids(), before)
  rmSync(`${folder}/specs/021-payment`, { recursive: true })
  mkdirSync(`${folder}/specs/022-bill`)
  for (const [name, text] of Object.entries(feature('Bill'))) writeFileSync(`${folder}/specs/022-bill/${name}`, text)
  t.match(await sync(), { renamed: 0, archived: 1 }, 'another feature with the same numbers of tasks is a new one')
  t.equal((await ids()).length, before.length + 1)
})
