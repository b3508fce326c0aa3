/** Tells explorations of one source apart that have the same title: each takes the name of its folder. */
import { nameAsTitle } from './markdown/title.js'
import type { ExplorationRecords } from './records/to-records.js'
import type { ImportReport } from './report.js'
import { baseName } from './source/paths.js'

/** Sets the titles in the records, and notes them. Returns the units in which one is another than before. */
export const distinctTitles = <Unit extends { records: readonly ExplorationRecords[] }>(
  units: readonly Unit[], report: ImportReport
): Set<Unit> => {
  const byTitle = new Map<string, Array<{ unit: Unit; record: ExplorationRecords }>>()
  for (const unit of units) {
    for (const record of unit.records) {
      const key = record.title.toLowerCase()
      byTitle.set(key, [...(byTitle.get(key) ?? []), { unit, record }])
    }
  }
  const changed = new Set<Unit>()
  for (const same of byTitle.values()) {
    const paths = same.map(({ record }) => record.path)
    const folders = paths.map(baseName)
    // Of several in one file the id, of a folder the name without number and date, else with them, or the whole path.
    const ids = same.map(({ record: { path, title } }) => `${title} (${path.split('#')[1]})`)
    const names = [...paths.every((path) => path.includes('#')) ? [ids] : [], folders.map(nameAsTitle), folders, paths]
      .find((all) => new Set(all.map((name) => name.toLowerCase())).size === all.length)
    for (const [index, { unit, record }] of same.entries()) {
      const { format, path, title, exploration } = record
      const next = same.length === 1 ? title : (names?.[index] ?? path).slice(-500)
      if (exploration.title === next) continue
      exploration.title = next
      changed.add(unit)
      const outcome = report.outcomes.find((one) => one.format === format && one.path === path)
      if (!outcome) continue
      outcome.title = next
      if (next !== title) report.note(path, `another has the title ${JSON.stringify(title)} too: here it is ${next}`)
    }
  }
  return changed
}
