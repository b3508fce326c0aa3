/** Finds the units of a repository or an export: the files that one importer converts together. */
import { stat } from 'node:fs/promises'
import { Refusal } from '../lib/errors.js'
import type { ConvertOptions } from './convert-source.js'
import { CSV } from './csv/table.js'
import { IMPORTERS } from './registry.js'
import { ImportReport } from './report.js'
import { decodeText } from './source/decode-text.js'
import { absolutePath, type ImportSource } from './source/open-source.js'
import { readStart } from './source/read-source.js'
import { walk } from './source/walk.js'
import type { FormatId, Importer, ImportUnit } from './types.js'

export interface FoundUnits {
  units: ImportUnit[]
  /** The folders that were read, relative to the root. */
  folders: string[]
  /** Whether a file was named, not a folder. */
  isFile: boolean
  /** Plans that no importer reads: a folder with `/` at its end, or a file, and the tool that wrote them. */
  others: Array<{ path: string, tool: string }>
}

interface Search {
  source: ImportSource
  importers: readonly Importer[]
  formats: readonly FormatId[] | undefined
  report: ImportReport
}

/** Finds units by the names of files; only single files are read. @throws {Refusal} for a file of an unknown format */
export const findUnits = async (
  source: ImportSource, { formats, paths, exclude }: Pick<ConvertOptions, 'formats' | 'paths' | 'exclude'>,
  report: ImportReport
): Promise<FoundUnits> => {
  const importers = IMPORTERS.filter(({ id }) => formats === undefined || formats.includes(id))
  const search = { source, importers, formats, report }
  const found: FoundUnits = { units: [], folders: [], isFile: source.file !== undefined, others: [] }
  const places = source.file === undefined ? paths : [source.file]
  for (const place of places.length === 0 ? [source.under] : places) {
    if (places.length > 0 && (found.isFile || !(await isFolder(absolutePath(source, place))))) {
      found.units.push(await unitOfFile(place, search))
      continue
    }
    const { files, folders } = await walk(source.root, report, { under: place, exclude })
    found.folders.push(...folders)
    found.units.push(...(await unitsAmong(files, search)))
    found.others.push(...otherPlans(files))
  }
  return found
}

const unitsAmong = async (files: readonly string[], search: Search): Promise<ImportUnit[]> => {
  const { importers, formats, report } = search
  const units: ImportUnit[] = []
  let left = files
  for (const importer of importers) {
    const found = unitsOf(importer, left, report, formats !== undefined)
    const unitFiles = new Set(found.flatMap((unit) => unit.files))
    if (unitFiles.size > 0) left = left.filter((path) => !unitFiles.has(path))
    units.push(...found)
  }
  if (formats === undefined) await mentionExports(left, search)
  return units
}

const unitsOf = (
  { id: format, find, exports }: Importer, paths: readonly string[], report: ImportReport, forced: boolean
): ImportUnit[] => find?.(paths, report, forced) ?? paths
  .filter((path) => forced && exports?.extension.test(path))
  .map((path) => ({ format, path, files: [path], reason: `named as ${format}` }))

const MAX_EXPORTS_MENTIONED = 200

/** Exports are imported only when they are named, because any table or list may look like one. */
const mentionExports = async (files: readonly string[], search: Search): Promise<void> => {
  for (const path of files.filter((file) => CSV.test(file)).slice(0, MAX_EXPORTS_MENTIONED)) {
    const unit = recognized(path, await headOf(path, search), search)
    if (!unit) continue
    search.report.note(
      path,
      `left out: it looks like ${unit.format} (${unit.reason}); import it by its name, or list it under "paths" in ` +
      '.exploration-mcp.json'
    )
  }
}

const recognized = (path: string, head: string, { importers }: Search): ImportUnit | undefined => {
  for (const { id: format, exports } of importers) {
    const reason = exports?.extension.test(path) ? exports.recognizes(head) : undefined
    if (reason !== undefined) return { format, path, files: [path], reason }
  }
  return undefined
}

const unitOfFile = async (path: string, search: Search): Promise<ImportUnit> => {
  const { source, importers, formats, report } = search
  const head = await headOf(path, search)
  const asExport = recognized(path, head, search)
  if (asExport) return asExport
  for (const importer of importers) {
    // A single document, such as one decision or one task list.
    const [unit] = unitsOf(importer, [path], report, formats !== undefined)
    if (unit) return unit
  }
  // Any markdown that is named may be a list of boxes.
  const lists = BOXES.test(head) ? importers.find(({ id }) => id === 'checklist') : undefined
  const [list] = lists ? unitsOf(lists, [path], report, true) : []
  if (list) return list
  if (formats !== undefined) {
    const known = importers.map(({ id, about }) => `${id} is ${about}`).join('; ')
    throw new Refusal(`${path} is not read as ${formats.join(' or ')}${known === '' ? '' : `: ${known}`}.`)
  }
  // The root may be the tool's own folder.
  const [other] = otherPlans([path, absolutePath(source, path)])
  if (other) throw new Refusal(`${path} is of no format that is read (${other.tool}).`)
  const possible = importers.filter((importer) =>
    importer.id !== 'checklist' && unitsOf(importer, [path], new ImportReport(), true).length > 0)
  const names = possible.map(({ id }) => id).join(' or ')
  throw new Refusal(
    `${path} is of no format that is read.${names === '' ? '' : ` If it is one, name its format: --format ${names}.`}`
  )
}

const BOXES = /^\s*(?:[-*+]|\d+[.)])\s+\[[ xX~-]\]\s/m
const HEAD_BYTES = 64 * 1024

const headOf = async (path: string, { source }: Search): Promise<string> => {
  try {
    return decodeText((await readStart(absolutePath(source, path), HEAD_BYTES)).bytes).text
  } catch {
    return ''
  }
}

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    throw new Refusal(`${path}, which .exploration-mcp.json lists under "paths", is not there.`)
  }
}

/** What no importer reads. The first capture group is the path to name. Files count in usual folders only. */
const TRACES: ReadonlyArray<readonly [tool: string, pattern: RegExp]> = [
  ['beads', /^((?:.+\/)?\.beads\/)/],
  ['GSD', /^((?:.+\/)?\.planning\/phases\/)/],
  ['ccpm', /^((?:.+\/)?\.claude\/epics\/)/],
  ['Ralph', /^((?:scripts\/ralph\/|\.ralph\/)?prd\.json)$/]
]
const MAX_LISTED = 20

const otherPlans = (paths: readonly string[]): FoundUnits['others'] => TRACES.flatMap(([tool, pattern]) => {
  const places = new Set(paths.flatMap((path) => pattern.exec(path)?.[1] ?? []))
  return [...places].map((path) => ({ path, tool }))
}).slice(0, MAX_LISTED)
