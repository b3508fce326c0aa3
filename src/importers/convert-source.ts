/** A repository or an export → records: finds the units, converts each, and says what became what. */
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { Refusal } from '../lib/errors.js'
import type { ImportReport } from './report.js'
import { toRecords, type ExplorationRecords } from './records/to-records.js'
import { IMPORTERS } from './registry.js'
import { decodeText } from './source/decode-text.js'
import { gitHistory, type GitHistory } from './source/git.js'
import { absolutePath, type ImportSource } from './source/open-source.js'
import { readSource } from './source/read-source.js'
import { readStart } from './source/read-start.js'
import { walk } from './source/walk.js'
import type { ConvertContext, ExplorationDraft, FormatId, Importer, ImportUnit, StatusMap } from './types.js'

export interface ConvertOptions {
  /** The slug of the workspace, or its id where only that is known: what the ids are made of. */
  workspace: string
  workspaceId: string
  /** Undefined for all: the importers look for what they know. */
  formats: readonly FormatId[] | undefined
  statuses: StatusMap
  columns: ReadonlyMap<string, string>
  /** Part of every id; '' unless the repository's settings name one. */
  sourceName: string
  /** Files and folders to look at beside, or in place of, the whole root; empty for the whole. */
  paths: readonly string[]
  /** Folders that are left out, relative to the root: the server's own data. */
  exclude: ReadonlySet<string>
}

export interface FoundUnits {
  units: ImportUnit[]
  /** The folders that were looked through, relative to the root. */
  folders: string[]
}

/** Finds units without reading the files of folders. @throws Refusal for a file that no importer knows. */
export const findUnits = async (
  source: ImportSource,
  { formats, paths, exclude }: Pick<ConvertOptions, 'formats' | 'paths' | 'exclude'>,
  report: ImportReport
): Promise<FoundUnits> => {
  const importers = IMPORTERS.filter(({ id }) => formats === undefined || formats.includes(id))
  if (source.file !== undefined) { return { units: [await unitOfFile(source, source.file, importers, formats, report)], folders: [] } }
  const places = paths.length === 0 ? [source.under] : paths
  const units: ImportUnit[] = []
  const folders: string[] = []
  for (const place of places) {
    if (paths.length > 0 && !(await isFolder(absolutePath(source, place)))) {
      units.push(await unitOfFile(source, place, importers, formats, report))
      continue
    }
    const tree = await walk(source.root, report, { under: place, exclude })
    folders.push(...tree.folders)
    units.push(...(await unitsAmong(source, tree.files, importers, formats, report)))
  }
  return { units, folders }
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
    const taken = new Set(found.flatMap((unit) => unit.files))
    if (taken.size > 0) left = left.filter((path) => !taken.has(path))
    units.push(...found)
  }
  if (formats === undefined) await mentionExports(source, left, importers, report)
  return units
}

const MAX_EXPORTS_MENTIONED = 200

/** Exports are imported when they are named: any table or list may look like one. */
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
        `left out: it looks like ${id} (${why}); import it by its name, or list it under "paths" in .exploration-mcp.json`
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
    // A single document, such as one decision or one list of tasks.
    const [unit] = importer.find([path], report, formats !== undefined)
    if (unit) return unit
  }
  throw new Refusal(
    `${path} is of no format that is known${formats === undefined ? `: name one of ${IMPORTERS.map(({ id }) => id).join(', ')} with --format` : ''}.`
  )
}

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

/** Converts units one by one, with what git says of their files. */
export class SourceConverter {
  #history: Promise<GitHistory | undefined> | undefined

  constructor (
    readonly source: ImportSource,
    readonly options: ConvertOptions
  ) {}

  /** Forgets what git said: a commit, a branch or a rename may have changed it. */
  forgetHistory (): void {
    this.#history = undefined
  }

  /**
   * The explorations of a unit; what fails in it is reported, and the unit has none then. `complete` is false when a
   * file of it could not be read.
   */
  async convert (
    unit: ImportUnit,
    report: ImportReport
  ): Promise<{ records: ExplorationRecords[]; complete: boolean }> {
    const importer = IMPORTERS.find(({ id }) => id === unit.format)
    if (!importer) throw new Error(`there is no importer ${unit.format}`)
    let complete = true
    const context: ConvertContext = {
      rootName: this.source.name,
      report,
      statuses: this.options.statuses,
      columns: this.options.columns,
      read: async (path) => {
        const text = await readSource(this.source.root, path, report)
        complete &&= text !== undefined
        return text
      }
    }
    const before = report.problems.length
    try {
      const drafts = await importer.convert(unit, context)
      const records = await Promise.all(drafts.map((draft) => this.#records(unit.format, draft, report)))
      return { records, complete: complete && (records.length > 0 || report.problems.length === before) }
    } catch (error) {
      report.problem(
        unit.path,
        `left out: it cannot be read as ${unit.format} (${error instanceof Error ? error.message : 'unknown error'})`
      )
      return { records: [], complete: false }
    }
  }

  /** Names that the path of an exploration had before, by those of its files. */
  async formerPaths (records: ExplorationRecords, files: readonly string[]): Promise<string[]> {
    const history = await this.#historyOf()
    if (!history) return []
    const tail = (path: string): string => path.slice(path.lastIndexOf('/'))
    const isFile = files.includes(records.path)
    if (isFile) return [...history.formerPaths(records.path)]
    return [
      ...new Set(
        files.flatMap((file) =>
          history.formerPaths(file).flatMap((former) => {
            // A folder was renamed when its files kept what follows it.
            const inner = file.startsWith(`${records.path}/`) ? file.slice(records.path.length) : tail(file)
            return former.endsWith(inner) && former.length > inner.length ? [former.slice(0, -inner.length)] : []
          })
        )
      )
    ].filter((path) => path !== records.path)
  }

  async formerPathsOfFile (path: string): Promise<readonly string[]> {
    return (await this.#historyOf())?.formerPaths(path) ?? []
  }

  async #records (format: FormatId, draft: ExplorationDraft, report: ImportReport): Promise<ExplorationRecords> {
    const history = await this.#historyOf()
    const { workspace, workspaceId, sourceName } = this.options
    const records = await toRecords(format, draft, {
      workspace,
      workspaceId,
      source: sourceName,
      report,
      urlOf: (path, line) => history?.urlOf(path, line) ?? localAddress(path, line),
      timesOf: async (path) => history?.timesOf(path) ?? (await fileTimes(absolutePath(this.source, path)))
    })
    report.outcomes.push(outcomeOf(format, draft, records))
    return records
  }

  async #historyOf (): Promise<GitHistory | undefined> {
    const { repository, under } = this.source
    if (!repository) return undefined
    this.#history ??= gitHistory(repository, under)
    return await this.#history
  }
}

/** The path itself, as a reference that no program takes for the address of something else. */
const localAddress = (path: string, line: number | undefined): string =>
  `${path.split('/').map(encodeURIComponent).join('/')}${line === undefined || extname(path) === '' ? '' : `#L${line}`}`

const fileTimes = async (path: string): Promise<{ created: string; modified: string }> => {
  try {
    const { mtime } = await stat(path)
    return { created: mtime.toISOString(), modified: mtime.toISOString() }
  } catch {
    const now = new Date().toISOString()
    return { created: now, modified: now }
  }
}

const outcomeOf = (
  format: FormatId,
  draft: ExplorationDraft,
  { exploration, plan, path, decisions }: ExplorationRecords
): ImportReport['outcomes'][number] => ({
  format,
  path,
  title: exploration.title,
  status: exploration.status,
  groups: plan?.groups.length ?? 0,
  items: plan?.items.length ?? 0,
  done: plan?.items.filter(({ status }) => status === 'done').length ?? 0,
  dependencies: plan?.dependencies.length ?? 0,
  gates: plan?.gates.length ?? 0,
  open_questions: exploration.questions.filter(({ status }) => status === 'open').length,
  answered_questions: exploration.questions.filter(({ status }) => status === 'answered').length,
  packages: draft.packages.map(({ artifactType, paths }) => ({ artifact_type: artifactType, paths })),
  decisions: decisions.length
})
