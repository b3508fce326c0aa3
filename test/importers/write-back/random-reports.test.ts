// Random reports, added tasks and answers on folders of every format that is written: each diff touches its own lines, an import recognizes
// it, and an undone report leaves the bytes as before. On our own folders; PLAN_FOLDERS names a folder of others, REPORTS how many reports
// are made on them.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { changeStore } from '../../../src/db/planning/changes/sql-change-store.js'
import type { Database } from '../../../src/db/sql/database.js'
import { PlanImport, type ConvertedUnit } from '../../../src/importers/plan-import.js'
import { importRecords } from '../../../src/importers/records/import-records.js'
import { ImportReport } from '../../../src/importers/report.js'
import { changedHere } from '../../../src/importers/sync/changed-here.js'
import { syncPlans } from '../../../src/importers/sync/sync-plans.js'
import { patchOf } from '../../../src/importers/write-back/patch.js'
import { rewriteSource } from '../../../src/importers/write-back/rewrite.js'
import { WRITTEN } from '../../../src/importers/write-back/wanted.js'
import { finish } from '../../../src/planning/changes/by-agent.js'
import { applyChange } from '../../../src/planning/changes/change-kinds.js'
import { Change } from '../../../src/planning/changes/change.js'
import { setStatus } from '../../../src/planning/changes/complete-item.js'
import { answerQuestion } from '../../../src/planning/changes/questions.js'
import type { ItemState } from '../../../src/planning/changes/records.js'
import { createRandom, type Random } from '../../fuzz/random.js'
import { database } from '../../helpers/database.js'
import { git } from '../../helpers/git.js'
import { ONE_OF_EACH_FORMAT } from '../one-of-each-format.js'

const STATUSES = ['done', 'done', 'done', 'todo', 'in_progress', 'blocked'] as const

/** `unrestored`: the lines that undoing left otherwise. */
interface Figures {
  reports: number
  written: number
  unrestored: string[]
  /** What was added, and how much of that has a place in the files, by format. */
  added: Record<string, { tasks: number, inFiles: number, answers: number, answersInFiles: number }>
}

/** A working tree, and the database that it was imported into. */
class Tree {
  units: ConvertedUnit[] = []
  constructor (readonly t: Test, readonly db: Database, readonly folder: string, readonly plans: PlanImport) {}

  async sync (changed: ReadonlySet<ConvertedUnit>, replace = false): Promise<number> {
    const { sync } = await syncPlans(Readable.from(this.plans.lines({ units: this.units }, changed)), {
      db: this.db, importRecords: (records) => importRecords(this.db, records, { spoolDir: tmpdir(), over: replace ? 'replace' : 'propose' }), replace
    })
    return sync.written
  }

  /** Converts some units again, and imports them. Returns how many explorations were written. */
  async importAgain (units: readonly ConvertedUnit[], replace = false): Promise<number> {
    const paths = new Set(units.map(({ unit }) => unit.path))
    const found = await this.plans.find(new ImportReport())
    const fresh = await Promise.all(this.units.map(async (one) => {
      if (!paths.has(one.unit.path)) return one
      const unit = found.units.find(({ format, path }) => format === one.unit.format && path === one.unit.path)!
      return { unit, ...await this.plans.converter.convert(unit, new ImportReport()) }
    }))
    this.units = fresh
    return await this.sync(new Set(fresh.filter(({ unit }) => paths.has(unit.path))), replace)
  }

  async change<Made> (exploration: string, workspace: string, work: (change: Change) => Promise<Made>): Promise<Made> {
    return await this.db.transaction(async (tx) => {
      const change = new Change(changeStore(tx, exploration), undefined, { exploration, workspace, policy: 'report' })
      const made = await work(change)
      await finish(change)
      return made
    })
  }

  async setStatus (exploration: string, workspace: string, item: string, status: ItemState['status']): Promise<void> {
    await this.change(exploration, workspace, async (change) => await setStatus(change, await change.item(item), status))
  }

  /** Applies what the files do not say yet. Returns the lines that git says have changed since the commit. */
  async apply (units: readonly ConvertedUnit[], workspace: string): Promise<{ before: string[], after: string[] }> {
    const { explorations } = await changedHere(this.db, { workspace, source: this.plans.source.key })
    const { files } = await rewriteSource(this.plans, { units: units.map(({ unit }) => unit) }, explorations, { disputed: true })
    if (files.length > 0) execFileSync('git', ['apply', '-'], { cwd: this.folder, input: patchOf(files) })
    git(this.folder, 'add', '-AN')
    const lines = git(this.folder, 'diff', '-U0').split('\n')
    return { before: lines.filter((line) => /^-(?!-- )/.test(line)), after: lines.filter((line) => /^\+(?!\+\+ )/.test(line)) }
  }
}

const open = async (t: Test, db: Database, folder: string): Promise<{ tree: Tree, workspace: string }> => {
  rmSync(join(folder, '.git'), { recursive: true, force: true })
  git(folder, 'init', '-q')
  git(folder, 'add', '-Af')
  git(folder, 'commit', '-qm', 'one')
  const plans = await PlanImport.open(folder, { cwd: '/', workspace: `w-${Math.random().toString(36).slice(2)}` })
  const tree = new Tree(t, db, folder, plans)
  tree.units = (await plans.convert()).units
  await tree.sync(new Set(tree.units))
  const [row] = await db.query<{ id: string }>('select id::text as id from workspaces where slug = $1', [plans.workspace])
  return { tree, workspace: row?.id ?? '' }
}

/** Rounds of up to 8 reports about items of several files. */
const reportOn = async (
  t: Test, { tree, workspace }: { tree: Tree, workspace: string }, random: Random, count: number, figures: Figures
): Promise<void> => {
  const open = async () => await tree.db.query("select changes from proposals where state = 'open'")
  for (let left = count; left > 0;) {
    const planned = tree.units.filter(({ unit }) => WRITTEN.includes(unit.format))
      .flatMap((unit) => unit.records.flatMap(({ exploration, plan }) => plan ? [{ unit, exploration, items: plan.items }] : []))
    if (planned.length === 0) return
    const picked = new Map(Array.from({ length: Math.min(8, left) }, () => {
      const one = planned[random.integer(planned.length)]!
      const item = one.items[random.integer(one.items.length)]!
      // Backlog.md has no such word by itself: that a file says done then, contradicts.
      const status = random.choose<ItemState['status']>(one.unit.unit.format === 'backlog-md' ? ['done', 'todo'] : STATUSES)
      return [`${one.exploration.id} ${item.id}`, { ...one, item, status }] as const
    }))
    left -= 8
    const reports = [...picked.values()]
    const units = [...new Set(reports.map(({ unit }) => unit))]
    const about = reports.map(({ unit, item, status }) => `${unit.unit.path} ${item.id}: ${item.status} → ${status}`).join('; ')
    figures.reports += reports.length
    for (const { exploration, item, status } of reports) await tree.setStatus(exploration.id, workspace, item.id, status)
    const { before, after } = await tree.apply(units, workspace)
    figures.written += after.length
    if (before.length !== after.length || after.length > reports.length) t.fail(`${about}: ${before.join()} ${after.join()}`)
    for (const [index, line] of after.entries()) if (!isOwnSpan(before[index]!, line)) t.fail(`${about}: ${line}`)
    await tree.importAgain(units)
    if (await tree.importAgain(units) !== 0) t.fail(`${about}: imported twice, it is written again`)
    if ((await open()).length > 0) t.fail(`${about}: ${JSON.stringify(await open())}`)
    t.same(await tree.apply(units, workspace), { before, after }, 'nothing is left')

    for (const { exploration, item } of reports) await tree.setStatus(exploration.id, workspace, item.id, item.status)
    figures.unrestored.push(...(await tree.apply(units, workspace)).before)
    git(tree.folder, 'checkout', '-q', '.')
    await tree.importAgain(units)
    await tree.db.query("update plan_items set changed_here = '{}' where changed_here <> '{}'")
    await tree.db.query('delete from proposals')
    await tree.importAgain(units)
  }
}

const TITLES = ['Add a page', 'Später: "ja" [x] `code`', '日本語のタスク', "It's #1, (two) & 3% → four", 'no', '- [ ] Box'] as const
const ANSWER = 'Größer: 7 [days], as *before*'

/** Rounds of one task for a group, and of an answer where a question is open: all lines of before stay. */
const addOn = async (
  t: Test, { tree, workspace }: { tree: Tree, workspace: string }, random: Random, rounds: number, { added }: Figures
): Promise<void> => {
  for (let round = 0; round < rounds; round++) {
    const planned = tree.units.filter(({ unit }) => WRITTEN.includes(unit.format))
      .flatMap((unit) => unit.records.flatMap(({ exploration, plan }) => plan ? [{ unit, exploration, plan }] : []))
    const asking = planned.filter(({ exploration: { questions } }) => questions.some(({ answer }) => answer === null))
    const from = asking.length > 0 && round % 2 === 0 ? asking : planned
    const picked = from[random.integer(from.length)]
    if (!picked) return
    const { unit, exploration: { id, questions }, plan: { groups } } = picked
    const title = random.choose(TITLES)
    const open = questions.filter(({ answer }) => answer === null)
    const question = open[random.integer(open.length)]
    const item = await tree.change(id, workspace, async (change) => {
      if (question) await answerQuestion(change, question.id, ANSWER)
      return (await applyChange(change, { kind: 'add_item', group_id: groups[random.integer(groups.length)]!.id, title }, change.author))['item_id']
    })
    const { before, after } = await tree.apply([unit], workspace)
    const about = `${unit.unit.path}: ${title}, ${question?.question}`
    const kept = after.map((line) => line.replace('[CLARIFIED:', '[NEEDS CLARIFICATION:').replace(` → ${ANSWER}]`, ']'))
    for (const line of before) if (!kept.some((other) => isInserted(line.replace(/\[\]$/, '['), other))) t.fail(`${about}: ${line}`)
    await tree.importAgain([unit])
    if (await tree.importAgain([unit]) !== 0) t.fail(`${about}: imported twice, it is written again`)
    const proposed = await tree.db.query("select changes from proposals where state = 'open'")
    if (proposed.length > 0) t.fail(`${about}: ${JSON.stringify(proposed)}`)
    t.same(await tree.apply([unit], workspace), { before, after }, 'nothing is left')
    const fresh = tree.units.flatMap(({ records }) => records).find(({ exploration }) => exploration.id === id)!
    const count = added[unit.unit.format] ??= { tasks: 0, inFiles: 0, answers: 0, answersInFiles: 0 }
    count.tasks++
    if (fresh.plan?.items.some((one) => one.id === item && one.title === title)) count.inFiles++
    if (question) count.answers++
    if (question && fresh.exploration.questions.find((one) => one.id === question.id)?.answer === ANSWER) count.answersInFiles++
    const stored = await tree.db.query('select id from plan_items where exploration_id = $1 and title = $2', [id, title])
    if (stored.length !== 1) t.fail(`${about}: ${stored.length} items`)
    git(tree.folder, 'reset', '-q', '--hard')
    git(tree.folder, 'clean', '-fdq')
    await tree.importAgain([unit], true)
  }
}

/** How much of each of the lines is not in the other. */
const differing = (before: string, after: string): [number, number] => {
  const [one, other] = [before.slice(1), after.slice(1)]
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  let end = 0
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++
  return [one.length - start - end, other.length - start - end]
}
/** Whether the lines differ in a mark or a word alone. */
const isOwnSpan = (before: string, after: string): boolean => differing(before, after).every((length) => length <= 20)
/** Whether something stands in the new line, and nothing of the old one is gone. */
const isInserted = (before: string, after: string): boolean => differing(before, after)[0] === 0

const figuresOf = (): Figures => ({ reports: 0, written: 0, unrestored: [], added: {} })

t.test('our own folders', async (t) => {
  const db = await database(t)
  const folder = t.testdir({ ours: ONE_OF_EACH_FORMAT[0]!.files })
  const figures = figuresOf()
  const tree = await open(t, db, join(folder, 'ours'))
  await reportOn(t, tree, createRandom(38), 16, figures)
  await addOn(t, tree, createRandom(39), 16, figures)
  const added = Object.values(figures.added)
  t.ok(added.length > 3 && added.every(({ tasks, inFiles }) => inFiles === tasks), JSON.stringify(figures.added))
  t.ok(figures.reports > 8)
  t.ok(figures.written >= 5)
  t.same(figures.unrestored, [])
})

const FOLDERS = process.env['PLAN_FOLDERS']
t.test('the folders of others', { skip: FOLDERS === undefined && 'no PLAN_FOLDERS', timeout: 3_000_000 }, async (t) => {
  const db = await database(t)
  const figures = figuresOf()
  const foldersIn = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory()).map(({ name }) => name)
  const roots = foldersIn(FOLDERS!).flatMap((kind) => foldersIn(join(FOLDERS!, kind)).map((name) => join(kind, name)))
  const each = Math.ceil((Number(process.env['REPORTS']) || 500) / 14)
  for (const [index, root] of roots.entries()) {
    const copy = join(t.testdir({}), root)
    cpSync(join(FOLDERS!, root), copy, { recursive: true })
    if (!existsSync(copy)) continue
    const before = figures.reports
    const tree = await open(t, db, copy)
    await reportOn(t, tree, createRandom(index), each, figures)
    await addOn(t, tree, createRandom(index), Math.ceil(each / 3), figures)
    console.error(root, figures.reports - before, JSON.stringify({ ...figures, unrestored: figures.unrestored.length }))
    await db.query('delete from workspaces')
  }
  t.comment(JSON.stringify(figures, undefined, 1))
})
