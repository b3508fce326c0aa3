// Importing again: what is the same is not written, what changed gets its next version, what vanished is archived.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import t from 'tap'
import { importRecords } from '../../src/importers/records/import-records.js'
import { PlanImport, type PlanImportOptions } from '../../src/importers/plan-import.js'
import { syncPlans, type SyncCounts } from '../../src/importers/sync/sync-plans.js'
import type { Database } from '../../src/db/sql/database.js'
import { database } from '../helpers/database.js'
import { git } from '../helpers/git.js'

const tasks = '## Phase 1: One\n\n- [x] T001 First\n- [ ] T002 Second (depends on T001)\n'
const feature = (title: string) => ({
  'spec.md': `# Feature Specification: ${title}\n`,
  'plan.md': '# Plan\n',
  'tasks.md': tasks
})

const sync = async (
  db: Database,
  folder: string,
  options: Partial<PlanImportOptions> = {}
): Promise<SyncCounts & { written_records: number }> => {
  const plans = await PlanImport.open(folder, { cwd: '/', workspace: 'team', ...options })
  const { sync: counts, imported } = await syncPlans(Readable.from(plans.lines(await plans.convert())), {
    db,
    importRecords: (records) => importRecords(db, records, { spoolDir: tmpdir() })
  })
  return { ...counts, written_records: imported?.total ?? 0 }
}

const explorations = (db: Database) =>
  db.query<{ id: string; title: string; status: string }>(
    'select id::text as id, title, status from explorations order by title'
  )
const packages = (db: Database, title: string) =>
  db.query<{ artifact_type: string; version: number; markdown: string }>(
    'select p.artifact_type, p.version, p.markdown from requirement_packages p join explorations e on e.id = p.exploration_id where e.title = $1 order by 1',
    [title]
  )
const planOf = async (db: Database, title: string) =>
  (
    await db.query<{ version: number; compilation_state: string; items: number }>(
      'select p.version, p.compilation_state, (select count(*)::integer from plan_items i where i.exploration_id = p.exploration_id) as items ' +
        'from execution_plans p join explorations e on e.id = p.exploration_id where e.title = $1',
      [title]
    )
  )[0]

t.test('a folder that changes', async (t) => {
  const db = await database(t)
  const folder = t.testdir({
    specs: { '001-pay': feature('Pay'), '002-ship': feature('Ship') },
    docs: { adr: { '0001-a.md': '# A\n\nStatus: accepted\n', '0002-b.md': '# B\n\nStatus: accepted\n' } }
  })
  await t.test('the first time', async (t) => {
    t.match(await sync(db, folder), {
      explorations: 3,
      written: 3,
      unchanged: 0,
      archived: 0,
      workspace_created: true
    })
    t.match(await explorations(db), [{ title: 'Decisions' }, { title: 'Pay', status: 'ready' }, { title: 'Ship' }])
  })
  await t.test('again, nothing is written', async (t) => {
    const before = await db.query('select id, xmin::text, updated_at from explorations order by id')
    t.match(await sync(db, folder), { unchanged: 3, written: 0, written_records: 0, workspace_created: false })
    t.strictSame(await db.query('select id, xmin::text, updated_at from explorations order by id'), before)
  })
  await t.test('a task that is done', async (t) => {
    writeFileSync(`${folder}/specs/001-pay/tasks.md`, tasks.replace('- [ ] T002', '- [x] T002'))
    t.match(
      await sync(db, folder),
      { unchanged: 2, written: 1, written_records: 3 },
      'the exploration, its plan and the package of the tasks'
    )
    t.match(await planOf(db, 'Pay'), { version: 2, compilation_state: 'compiled' })
    t.match(await packages(db, 'Pay'), [
      { artifact_type: 'code', version: 2 },
      { artifact_type: 'design', version: 1 },
      { artifact_type: 'spec', version: 1 }
    ])
    t.match((await explorations(db))[1], { status: 'delivered' })
  })
  await t.test('documents that vanish are archived, a plan is stale', async (t) => {
    rmSync(`${folder}/specs/001-pay/tasks.md`)
    rmSync(`${folder}/specs/001-pay/plan.md`)
    rmSync(`${folder}/docs/adr/0001-a.md`)
    t.match(await sync(db, folder), { written: 2 })
    t.match(await planOf(db, 'Pay'), { compilation_state: 'stale', items: 2 })
    t.match(
      (await packages(db, 'Pay')).map(({ markdown }) => markdown.startsWith('> Archived')),
      [true, true, false]
    )
    t.strictSame(await db.query('select title, status from recommendations order by title'), [
      { title: 'A', status: 'rejected' },
      { title: 'B', status: 'approved' }
    ])
    t.match(await sync(db, folder), { written: 0, written_records: 0 })
  })
  await t.test('a feature that vanishes is archived, and comes back as it was', async (t) => {
    const [, , ship] = await explorations(db)
    renameSync(`${folder}/specs/002-ship`, `${folder}/elsewhere`)
    t.match(await sync(db, folder), { archived: 1 })
    t.match((await explorations(db))[2], { id: ship?.id, status: 'archived' })
    t.match(await sync(db, folder), { archived: 0, written_records: 0 })
    renameSync(`${folder}/elsewhere`, `${folder}/specs/002-ship`)
    t.match(await sync(db, folder), { written: 1 })
    t.match((await explorations(db))[2], { id: ship?.id, status: 'ready' })
  })
  await t.test('only what was looked for vanishes, and nothing that could not be read', async (t) => {
    t.match(await sync(db, folder, { format: 'adr' }), { archived: 0 })
    writeFileSync(`${folder}/specs/002-ship/spec.md`, Buffer.from([0, 1, 2, 0, 0, 3]))
    rmSync(`${folder}/specs/002-ship/plan.md`)
    rmSync(`${folder}/specs/002-ship/tasks.md`)
    t.match(await sync(db, folder), { archived: 0 })
  })
  await t.test('another repository of the same workspace with the same folders', async (t) => {
    mkdirSync(`${folder}/other/specs/001-pay`, { recursive: true })
    writeFileSync(`${folder}/other/specs/001-pay/spec.md`, '# Feature Specification: Other\n')
    await t.rejects(sync(db, `${folder}/other`), {
      message: /is in .* too, whose plans are in this workspace already: import it into another one with --workspace NAME/
    })
    writeFileSync(`${folder}/other/.exploration-mcp.json`, '{"source": "other"}')
    t.match(await sync(db, `${folder}/other`), { written: 1, archived: 0 })
    t.equal((await explorations(db)).length, 4)
  })
})

t.test('a repository of git', async (t) => {
  const db = await database(t)
  const folder = t.testdir({
    specs: { '001-pay': feature('Pay') },
    docs: { adr: { '0001-a.md': '# A decision that is long enough\n\nStatus: accepted\n\nText.\n' } }
  })
  git(folder, 'init', '-q')
  git(folder, 'remote', 'add', 'origin', 'git@github.com:team/shop.git')
  git(folder, 'add', '.')
  git(folder, 'commit', '-qm', 'first')
  const commit = git(folder, 'rev-parse', 'HEAD')
  await sync(db, folder)
  const [decisions, pay] = await explorations(db)
  await t.test('the address is that of the commit', async (t) => {
    t.strictSame(await db.query('select url from explorations where id = $1', [pay?.id]), [
      { url: `https://github.com/team/shop/blob/${commit}/specs/001-pay/spec.md#L1` }
    ])
    t.strictSame(await db.query('select distinct source from import_origins'), [{ source: 'github.com/team/shop' }])
  })
  await t.test('what was renamed keeps its id, once and for good', async (t) => {
    git(folder, 'mv', 'specs/001-pay', 'specs/007-payment')
    git(folder, 'mv', 'docs/adr/0001-a.md', 'docs/adr/0009-b.md')
    const before = await db.query('select id from recommendations')
    t.match(await sync(db, folder), { renamed: 1, archived: 0 }, 'before the commit')
    t.strictSame(
      (await explorations(db)).map(({ id }) => id),
      [decisions?.id, pay?.id]
    )
    t.strictSame(await db.query('select id from recommendations'), before)
    git(folder, 'commit', '-qam', 'second')
    t.match(await sync(db, folder), { renamed: 0, archived: 0 })
    t.match(await sync(db, folder), { written: 0, written_records: 0 })
    t.strictSame(
      (await explorations(db)).map(({ id }) => id),
      [decisions?.id, pay?.id]
    )
  })
  await t.test('a branch where it has its old name', async (t) => {
    git(folder, 'checkout', '-q', 'HEAD~1')
    t.match(await sync(db, folder), { archived: 0 })
    t.strictSame(
      (await explorations(db)).map(({ id }) => id),
      [decisions?.id, pay?.id]
    )
  })
})

t.test('what is renamed without git knowing keeps its id', async (t) => {
  const db = await database(t)
  const folder = t.testdir({
    specs: { '001-pay': feature('Pay'), '002-ship': feature('Ship'), '003-a': { 'spec.md': 'No heading\n' } },
    '.kiro': { specs: { lend: { 'tasks.md': '- [ ] 1. Lend\n' } } },
    docs: { adr: { '0001-a.md': '# A\n\nText.\n', '0002-b.md': '# B\n' } }
  })
  const ids = async () => (await explorations(db)).map(({ id }) => id).sort()
  const decisions = () => db.query('select id::text as id, status from recommendations order by id')
  await sync(db, folder)
  const before = await ids()
  const decided = await decisions()
  await t.test('the same files in another folder', async (t) => {
    renameSync(`${folder}/specs/001-pay`, `${folder}/specs/011-payment`)
    renameSync(`${folder}/specs/003-a`, `${folder}/specs/013-b`)
    renameSync(`${folder}/.kiro/specs/lend`, `${folder}/.kiro/specs/loan`)
    t.match(await sync(db, folder), { renamed: 3, archived: 0 })
    t.strictSame(await ids(), before)
    t.match(await sync(db, folder), { renamed: 0, written: 0, archived: 0 })
  })
  await t.test('the same title and tasks, with other texts', async (t) => {
    renameSync(`${folder}/specs/002-ship`, `${folder}/specs/012-ship`)
    writeFileSync(`${folder}/specs/012-ship/plan.md`, '# Another plan\n')
    t.match(await sync(db, folder), { renamed: 1, archived: 0 })
    t.strictSame(await ids(), before)
  })
  await t.test('decisions, and their folder', async (t) => {
    renameSync(`${folder}/docs/adr/0001-a.md`, `${folder}/docs/adr/0003-a.md`)
    await sync(db, folder)
    t.strictSame(await decisions(), decided)
    writeFileSync(`${folder}/docs/adr/0004-a.md`, '# A\n\nAgain.\n')
    await sync(db, folder)
    t.equal((await decisions()).length, 3, 'a second one with its title is another')
    renameSync(`${folder}/docs/adr`, `${folder}/docs/decisions`)
    t.match(await sync(db, folder), { renamed: 1, archived: 0 })
    t.equal((await decisions()).length, 3)
    t.strictSame(await ids(), before)
  })
  await t.test('gone first, and back later under another name', async (t) => {
    renameSync(`${folder}/specs/011-payment`, `${folder}/elsewhere`)
    t.match(await sync(db, folder), { archived: 1 })
    renameSync(`${folder}/elsewhere`, `${folder}/specs/021-payment`)
    t.match(await sync(db, folder), { renamed: 1, archived: 0 })
    t.strictSame(await ids(), before)
    t.notOk((await explorations(db)).some(({ status }) => status === 'archived'))
  })
  await t.test('another feature with the same numbers of tasks is a new one', async (t) => {
    rmSync(`${folder}/specs/021-payment`, { recursive: true })
    mkdirSync(`${folder}/specs/022-bill`)
    for (const [name, text] of Object.entries(feature('Bill'))) writeFileSync(`${folder}/specs/022-bill/${name}`, text)
    t.match(await sync(db, folder), { renamed: 0, archived: 1 })
    t.equal((await ids()).length, before.length + 1)
  })
})

t.test('two worktrees with one file of settings: what the refusal advises works', async (t) => {
  const db = await database(t)
  const tree = () => ({ '.exploration-mcp.json': '{"workspace": "shop"}', specs: { '001-pay': feature('Pay') } })
  const folder = t.testdir({ one: tree(), two: tree() })
  const own = { workspace: undefined }
  await sync(db, `${folder}/one`, own)
  await t.rejects(sync(db, `${folder}/two`, own), { message: /import it into another one with --workspace NAME/ })
  t.match(await sync(db, `${folder}/two`, { workspace: 'shop-two' }), { written: 1, workspace_created: true })
  t.equal((await explorations(db)).length, 2)
})
