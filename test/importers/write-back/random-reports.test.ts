// Random reports, added tasks and answers on a folder of every format that is written: each diff touches its own lines, an import
// recognizes it, and an undone report leaves the bytes as before.
import { execFileSync } from 'node:child_process'
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
import { createRandom, type Random } from '../../helpers/random.js'
import { database } from '../../helpers/database.js'
import { git } from '../../helpers/git.js'
import { ONE_OF_EACH_FORMAT } from '../one-of-each-format.js'

const STATUSES = ['done', 'done', 'done', 'todo', 'in_progress', 'blocked'] as const

/** A working tree, and the database that it was imported into. */
class Tree {
  units: ConvertedUnit[] = []
  constructor (readonly db: Database, readonly folder: string, readonly plans: PlanImport, readonly workspace = '') {}

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

  async change<Made> (exploration: string, work: (change: Change) => Promise<Made>): Promise<Made> {
    return await this.db.transaction(async (tx) => {
      const change = new Change(changeStore(tx, exploration), undefined, { exploration, workspace: this.workspace, policy: 'report' })
      const made = await work(change)
      await finish(change)
      return made
    })
  }

  async setStatus (exploration: string, item: string, status: ItemState['status']): Promise<void> {
    await this.change(exploration, async (change) => await setStatus(change, await change.item(item), status))
  }

  openProposals = async (): Promise<unknown[]> => await this.db.query("select changes from proposals where state = 'open'")

  /** Applies what the files do not say yet. Returns the lines that git says have changed since the commit. */
  async apply (units: readonly ConvertedUnit[]): Promise<{ before: string[], after: string[] }> {
    const { explorations } = await changedHere(this.db, { workspace: this.workspace, source: this.plans.source.key })
    const { files } = await rewriteSource(this.plans, { units: units.map(({ unit }) => unit) }, explorations, { disputed: true })
    if (files.length > 0) execFileSync('git', ['apply', '-'], { cwd: this.folder, input: patchOf(files) })
    git(this.folder, 'add', '-AN')
    const lines = git(this.folder, 'diff', '-U0').split('\n')
    return { before: lines.filter((line) => /^-(?!-- )/.test(line)), after: lines.filter((line) => /^\+(?!\+\+ )/.test(line)) }
  }
}

const open = async (db: Database, folder: string): Promise<Tree> => {
  git(folder, 'init', '-q')
  git(folder, 'add', '-Af')
  git(folder, 'commit', '-qm', 'one')
  const plans = await PlanImport.open(folder, { cwd: '/', workspace: 'ours' })
  const first = new Tree(db, folder, plans)
  first.units = (await plans.convert()).units
  await first.sync(new Set(first.units))
  const [row] = await db.query<{ id: string }>("select id::text as id from workspaces where slug = 'ours'")
  return Object.assign(new Tree(db, folder, plans, row?.id), { units: first.units })
}

const oneOf = <Value>(random: Random, values: readonly Value[]): Value => values[random.integer(values.length)]!

/** The plans whose files are written. */
const plannedIn = ({ units }: Tree) => units.filter(({ unit }) => WRITTEN.includes(unit.format))
  .flatMap((unit) => unit.records.flatMap(({ exploration, plan }) => plan ? [{ unit, exploration, plan }] : []))

/** Two rounds of up to 8 reports about items of several files. Returns how many lines they wrote. */
const reportOn = async (t: Test, tree: Tree, random: Random): Promise<number> => {
  let written = 0
  for (let round = 0; round < 2; round++) {
    const planned = plannedIn(tree)
    const picked = new Map(Array.from({ length: 8 }, () => {
      const one = oneOf(random, planned)
      const item = oneOf(random, one.plan.items)
      // Backlog.md has no such word by itself: that a file says done then, contradicts.
      const status = random.choose<ItemState['status']>(one.unit.unit.format === 'backlog-md' ? ['done', 'todo'] : STATUSES)
      return [`${one.exploration.id} ${item.id}`, { ...one, item, status }] as const
    }))
    const reports = [...picked.values()]
    const units = [...new Set(reports.map(({ unit }) => unit))]
    const about = reports.map(({ unit, item, status }) => `${unit.unit.path} ${item.id}: ${item.status} → ${status}`).join('; ')
    for (const { exploration, item, status } of reports) await tree.setStatus(exploration.id, item.id, status)
    const { before, after } = await tree.apply(units)
    written += after.length
    t.ok(before.length === after.length && after.length <= reports.length, `${about}: ${before.join()} ${after.join()}`)
    for (const [index, line] of after.entries()) t.ok(isOwnSpan(before[index]!, line), `${about}: ${line}`)
    await tree.importAgain(units)
    t.equal(await tree.importAgain(units), 0, `${about}: imported twice, it is written again`)
    t.same(await tree.openProposals(), [], about)
    t.same(await tree.apply(units), { before, after }, 'nothing is left')

    for (const { exploration, item } of reports) await tree.setStatus(exploration.id, item.id, item.status)
    t.same(await tree.apply(units), { before: [], after: [] }, 'undone, the lines are as before')
    await tree.importAgain(units)
    await tree.db.query("update plan_items set changed_here = '{}' where changed_here <> '{}'")
    await tree.db.query('delete from proposals')
    await tree.importAgain(units)
  }
  return written
}

const TITLES = ['Add a page', 'Später: "ja" [x] `code`', '日本語のタスク', "It's #1, (two) & 3% → four", 'no', '- [ ] Box'] as const
const ANSWER = 'Größer: 7 [days], as *before*'

/** Rounds of one task for a group, and of an answer where a question is open: all lines of before stay. Returns the formats. */
const addOn = async (t: Test, tree: Tree, random: Random): Promise<Set<string>> => {
  const formats = new Set<string>()
  for (let round = 0; round < 16; round++) {
    const planned = plannedIn(tree)
    const asking = planned.filter(({ exploration: { questions } }) => questions.some(({ answer }) => answer === null))
    const from = asking.length > 0 && round % 2 === 0 ? asking : planned
    const { unit, exploration: { id, questions }, plan: { groups } } = oneOf(random, from)
    const title = random.choose(TITLES)
    const question = questions.find(({ answer }) => answer === null)
    const item = await tree.change(id, async (change) => {
      if (question) await answerQuestion(change, question.id, ANSWER)
      return (await applyChange(change, { kind: 'add_item', group_id: oneOf(random, groups).id, title }, change.author))['item_id']
    })
    const { before, after } = await tree.apply([unit])
    const about = `${unit.unit.path}: ${title}, ${question?.question}`
    const kept = after.map((line) => line.replace('[CLARIFIED:', '[NEEDS CLARIFICATION:').replace(` → ${ANSWER}]`, ']'))
    for (const line of before) t.ok(kept.some((other) => isInserted(line.replace(/\[\]$/, '['), other)), `${about}: ${line}`)
    await tree.importAgain([unit])
    t.equal(await tree.importAgain([unit]), 0, `${about}: imported twice, it is written again`)
    t.same(await tree.openProposals(), [], about)
    t.same(await tree.apply([unit]), { before, after }, 'nothing is left')
    const fresh = tree.units.flatMap(({ records }) => records).find(({ exploration }) => exploration.id === id)!
    t.match(fresh.plan?.items.find((one) => one.id === item), { title }, `${about}: it is in the file`)
    if (question) t.equal(fresh.exploration.questions.find((one) => one.id === question.id)?.answer, ANSWER, about)
    t.equal((await tree.db.query('select id from plan_items where exploration_id = $1 and title = $2', [id, title])).length, 1, about)
    formats.add(unit.unit.format)
    git(tree.folder, 'reset', '-q', '--hard')
    git(tree.folder, 'clean', '-fdq')
    await tree.importAgain([unit], true)
  }
  return formats
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

t.test('our own folders', async (t) => {
  const folder = t.testdir({ ours: ONE_OF_EACH_FORMAT[0]!.files })
  const tree = await open(await database(t), join(folder, 'ours'))
  t.ok(await reportOn(t, tree, createRandom(38)) >= 5)
  t.ok((await addOn(t, tree, createRandom(39))).size > 3)
})
