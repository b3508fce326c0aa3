/** Finds the units of a repository or an export: the files that one importer converts together. */
import { stat } from 'node:fs/promises'
import { Refusal } from '../lib/errors.js'
import type { ConvertOptions } from './convert-source.js'
import { otherPlans, type OtherPlans } from './other-tools.js'
import { IMPORTERS } from './registry.js'
import { ImportReport } from './report.js'
import { decodeText } from './source/decode-text.js'
import { absolutePath, type ImportSource } from './source/open-source.js'
import { readStart } from './source/read-start.js'
import { walk } from './source/walk.js'
import type { FormatId, Importer, ImportUnit } from './types.js'

export interface FoundUnits {
  units: ImportUnit[]
  /** The folders that were read, relative to the root. */
  folders: string[]
  /** Whether a file was named, not a folder. */
  isFile: boolean
  /** Places of other tools' plans; see `notRead`. */
  others: OtherPlans[]
}

/**
 * Finds units by the names of files; only single files are read.
 * @throws {Refusal} for a file of an unknown format
 */
export const findUnits = async (
  source: ImportSource,
  { formats, paths, exclude }: Pick<ConvertOptions, 'formats' | 'paths' | 'exclude'>,
  report: ImportReport
): Promise<FoundUnits> => {
  const importers = IMPORTERS.filter(({ id }) => formats === undefined || formats.includes(id))
  if (source.file !== undefined) {
    const unit = await unitOfFile(source, source.file, importers, formats, report)
    return { units: [unit], folders: [], isFile: true, others: [] }
  }
  const places = paths.length === 0 ? [source.under] : paths
  const units: ImportUnit[] = []
  const folders: string[] = []
  const others: OtherPlans[] = []
  for (const place of places) {
    if (paths.length > 0 && !(await isFolder(absolutePath(source, place)))) {
      units.push(await unitOfFile(source, place, importers, formats, report))
      continue
    }
    const tree = await walk(source.root, report, { under: place, exclude })
    folders.push(...tree.folders)
    units.push(...(await unitsAmong(source, tree.files, importers, formats, report)))
    others.push(...otherPlans(tree.files))
  }
  return { units, folders, isFile: false, others }
}

const unitsAmong = async (
  source: ImportSource,
  files: readonly string[],
  importers: readonly Importer[],
  formats: readonly FormatId[] | undefined,
  report: ImportReport
): Promise<ImportUnit[]> => {
  const units: ImportUnit[] = []
  let left = files
  for (const importer of importers) {
    const found = importer.find(left, report, formats !== undefined)
    const unitFiles = new Set(found.flatMap((unit) => unit.files))
    if (unitFiles.size > 0) left = left.filter((path) => !unitFiles.has(path))
    units.push(...found)
  }
  if (formats === undefined) await mentionExports(source, left, importers, report)
  return units
}

const MAX_EXPORTS_MENTIONED = 200

/** Exports are imported only when they are named, because any table or list may look like one. */
const mentionExports = async (
  source: ImportSource,
  files: readonly string[],
  importers: readonly Importer[],
  report: ImportReport
): Promise<void> => {
  const tables = files.filter((path) => /\.(?:csv|tsv)$/i.test(path)).slice(0, MAX_EXPORTS_MENTIONED)
  for (const path of tables) {
    const head = await headOf(absolutePath(source, path))
    for (const { id, recognizes } of importers) {
      const why = recognizes?.(path, head)
      if (why === undefined) continue
      report.note(
        path,
        `left out: it looks like ${id} (${why}); import it by its name, or list it under "paths" in ` +
        '.exploration-mcp.json'
      )
      break
    }
  }
}

const unitOfFile = async (
  source: ImportSource,
  path: string,
  importers: readonly Importer[],
  formats: readonly FormatId[] | undefined,
  report: ImportReport
): Promise<ImportUnit> => {
  const head = await headOf(absolutePath(source, path))
  for (const { id, recognizes } of importers) {
    const why = recognizes?.(path, head)
    if (why !== undefined) return { format: id, path, files: [path], reason: why }
  }
  for (const importer of importers) {
    // A single document, such as one decision or one task list.
    const [unit] = importer.find([path], report, formats !== undefined)
    if (unit) return unit
  }
  // Any markdown that is named may be a list of boxes.
  const lists = BOXES.test(head) ? importers.find(({ id }) => id === 'checklist') : undefined
  const [list] = lists?.find([path], report, true) ?? []
  if (list) return list
  if (formats !== undefined) {
    const known = importers.map(({ id, about }) => `${id} is ${about}`).join('; ')
    throw new Refusal(`${path} is not read as ${formats.join(' or ')}${known === '' ? '' : `: ${known}`}.`)
  }
  // The root may be the tool's own folder.
  const [other] = otherPlans([path, absolutePath(source, path)])
  if (other) throw new Refusal(`${path} is of no format that is read (${other.tool}).`)
  const possible = importers.filter(({ id, find }) =>
    id !== 'checklist' && find([path], new ImportReport(), true).length > 0)
  const names = possible.map(({ id }) => id).join(' or ')
  throw new Refusal(
    `${path} is of no format that is read.${names === '' ? '' : ` If it is one, name its format: --format ${names}.`}`
  )
}

const BOXES = /^\s*(?:[-*+]|\d+[.)])\s+\[[ xX~-]\]\s/m
const HEAD_BYTES = 64 * 1024

const headOf = async (path: string): Promise<string> => {
  try {
    return decodeText((await readStart(path, HEAD_BYTES)).bytes).text
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
