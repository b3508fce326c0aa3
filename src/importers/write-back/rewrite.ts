/** Edits copies of files; an edit counts only if they convert to what was wanted, and nothing else has moved. */
import type { ItemStatus, PlanItem } from '../../planning/records.js'
import type { FoundUnits } from '../find-units.js'
import type { PlanImport } from '../plan-import.js'
import type { ExplorationRecords } from '../records/to-records.js'
import { ImportReport } from '../report.js'
import { readBytes } from '../source/read-source.js'
import type { ChangedExploration } from '../sync/changed-here.js'
import type { ImportUnit } from '../types.js'
import { editFor, type UnitFiles } from './editors.js'
import { fileText, withEdits, type FoundEdit } from './file-text.js'
import { says, WRITTEN, wantedOf, type Wanted } from './wanted.js'

/** `before` is undefined for a new file. */
export interface FileChange { path: string, before: Buffer | undefined, after: Buffer }

export interface Rewritten {
  files: FileChange[]
  /** What stays here, in sentences with the path of the exploration. */
  left: string[]
  /** Where each status is now written, and what the file says: it may say less. */
  made: Array<{ exploration: string, item: string, status: ItemStatus, says: ItemStatus, path: string, line: number }>
}

interface Planned { changed: ChangedExploration, wanted: Wanted }

export const rewriteSource = async (
  plans: PlanImport, { units }: Pick<FoundUnits, 'units'>, changed: readonly ChangedExploration[],
  options: { disputed: boolean }
): Promise<Rewritten> => {
  const rewritten: Rewritten = { files: [], left: [], made: [] }
  const missing = new Set(changed)
  for (const unit of units) {
    const own = changed.filter(({ format, path }) =>
      format === unit.format && (path === unit.path || path.startsWith(`${unit.path}#`)))
    for (const one of own) missing.delete(one)
    const isWritten = WRITTEN.includes(unit.format)
    if (!isWritten) rewritten.left.push(...own.map(({ path }) => `${path}: files of ${unit.format} are not written`))
    else if (own.length > 0) await rewriteUnit(plans, unit, own, options, rewritten)
  }
  rewritten.left.push(...[...missing].map(({ path }) => `${path}: it is not there`))
  return rewritten
}

/** Adds the changes of the files of one unit, whose explorations those are. */
const rewriteUnit = async (
  plans: PlanImport, unit: ImportUnit, changed: readonly ChangedExploration[], options: { disputed: boolean },
  { files, left, made: places }: Rewritten
): Promise<void> => {
  const convert = async (edited: ReadonlyMap<string, Buffer>): Promise<ExplorationRecords[]> =>
    (await plans.converter.convert(unit, new ImportReport(), edited)).records
  let records = await convert(new Map())
  const planned: Planned[] = []
  for (const exploration of changed) {
    const before = records.find(({ path }) => path === exploration.path)
    if (!before) continue
    const { wanted, left: others } = wantedOf(before, exploration, options)
    planned.push(...wanted.map((one) => ({ changed: exploration, wanted: one })))
    left.push(...others.map((other) => `${exploration.path}, ${other}`))
  }
  const original = new Map<string, Buffer>()
  for (const path of unit.files) {
    const bytes = await readBytes(plans.source.root, path, new ImportReport())
    if (bytes) original.set(path, bytes)
  }
  let current: ReadonlyMap<string, Buffer> = original
  const made: Planned[] = []
  const attempt = async (...some: readonly Planned[]): Promise<boolean> => {
    const edited = editedFiles({ unit, records, files: current }, some)
    const after = edited && await convert(edited)
    if (!edited || !after || !holds(records, after, some)) return false
    current = edited
    records = after
    made.push(...some)
    return true
  }
  if (planned.length > 0 && !await attempt(...planned)) {
    for (const one of planned) {
      if (await attempt(one)) continue
      // Texts that would be read otherwise stay here.
      const { changed: of, wanted } = one
      const isBare = wanted.kind === 'task' &&
        await attempt({ changed: of, wanted: { ...wanted, description: '', acceptance: [] } })
      left.push(`${of.path}, ${wanted.id}: ${isBare ? 'description, acceptance' : 'it does not fit into the file'}`)
    }
  }
  // A new task is to do at first.
  for (const { changed: of, wanted: { id } } of made.filter(({ wanted }) => wanted.kind === 'task')) {
    const status = of.items.find((item) => item.id === id)?.status ?? 'todo'
    if (status !== 'todo') await attempt({ changed: of, wanted: { kind: 'status', id, status } })
  }
  for (const [path, after] of current) {
    if (original.get(path) !== after) files.push({ path, before: original.get(path), after })
  }
  places.push(...made.flatMap((one) => placeOf(records, one)))
}

const placeOf = (records: readonly ExplorationRecords[], { changed, wanted }: Planned): Rewritten['made'] => {
  const item = records.find(({ path }) => path === changed.path)?.plan?.items.find(({ id }) => id === wanted.id)
  if (!item?.source || wanted.kind !== 'status') return []
  const { path, line = 1 } = item.source
  return [{ exploration: changed.id, item: item.id, status: wanted.status, says: item.status, path, line }]
}

const editedFiles = (files: UnitFiles, planned: readonly Planned[]): ReadonlyMap<string, Buffer> | undefined => {
  const byPath = new Map<string, FoundEdit[]>()
  for (const { changed, wanted } of planned) {
    const records = files.records.find(({ path }) => path === changed.path)
    const found = records && editFor(files, records, wanted)
    if (!found) return undefined
    byPath.set(found.path, [...byPath.get(found.path) ?? [], found])
  }
  const edited = new Map(files.files)
  for (const [path, edits] of byPath) {
    const file = fileText(files.files.get(path) ?? Buffer.alloc(0))
    if (file) edited.set(path, file.toBytes(withEdits(file.text, edits.map(({ edit }) => edit))))
  }
  return edited
}

/** Whether all that was wanted is said, and the rest is as before. */
const holds = (
  before: readonly ExplorationRecords[], after: readonly ExplorationRecords[], planned: readonly Planned[]
): boolean => after.length === before.length && before.every((old) => {
  const { plan, exploration: { questions } } = old
  const fresh = after.find(({ path }) => path === old.path)
  const mine = planned.filter(({ changed }) => changed.path === old.path).map(({ wanted }) => wanted)
  const items = new Map((fresh?.plan?.items ?? []).map((item) => [item.id, item]))
  const answers = new Map((fresh?.exploration.questions ?? []).map(({ question, answer }) => [question, answer]))
  const isSaid = mine.every((wanted) => {
    if (wanted.kind === 'answer') return (answers.get(wanted.question) ?? '') === wanted.answer
    const item = items.get(wanted.id)
    if (wanted.kind === 'status') return item !== undefined && says(old.format, item.status, wanted.status)
    return item?.group_id === wanted.group_id && item.title === wanted.title && item.status === 'todo' &&
      (old.format !== 'backlog-md' || ((item.description ?? '').endsWith(wanted.description ?? '') &&
        (wanted.acceptance ?? []).every(({ text }, index) => item.acceptance?.[index]?.text === text)))
  })
  const ids = new Set(mine.flatMap(({ kind, id }) => kind === 'answer' ? [] : id))
  const added = mine.filter(({ kind }) => kind === 'task').length
  const answered = new Set(mine.flatMap((wanted) => wanted.kind === 'answer' ? wanted.question : []))
  return isSaid && fresh?.exploration.questions.length === questions.length &&
    items.size === (plan?.items.length ?? 0) + added &&
    (plan?.items ?? []).every((item) => ids.has(item.id) || isSame(item, items.get(item.id))) &&
    questions.every(({ question, answer }) => answered.has(question) || answers.get(question) === answer)
})

const isSame = (one: PlanItem, other: PlanItem | undefined): boolean =>
  other !== undefined && (['title', 'status', 'group_id', 'description'] as const).every((field) =>
    one[field] === other[field])
