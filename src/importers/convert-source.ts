/** Converts the units of a repository or an export into records, and reports the outcome. */
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { ImportReport } from './report.js'
import { toRecords, type ExplorationRecords } from './records/to-records.js'
import { IMPORTERS } from './registry.js'
import { gitHistory, type GitHistory } from './source/git.js'
import { absolutePath, type ImportSource } from './source/open-source.js'
import { readSource } from './source/read-source.js'
import type { ConvertContext, ExplorationDraft, FormatId, ImportUnit, StatusMap } from './types.js'

export interface ConvertOptions {
  /** The slug of the workspace, or its id when the slug is not known. Record ids are derived from it. */
  workspace: string
  workspaceId: string
  /** Undefined for all formats. */
  formats: readonly FormatId[] | undefined
  statuses: StatusMap
  columns: ReadonlyMap<string, string>
  /** Part of every record id; '' unless the repository's settings set one. */
  sourceName: string
  /** Files and folders to read instead of the whole root; empty for the whole. */
  paths: readonly string[]
  /** Folders that are not read, relative to the root: the server's data folder. */
  exclude: ReadonlySet<string>
}

export type Converter = Pick<SourceConverter, 'convert' | 'forgetHistory'>

/** Converts units one by one, with the git history of their files. */
export class SourceConverter {
  #history: Promise<GitHistory | undefined> | undefined

  constructor (
    readonly source: ImportSource,
    readonly options: ConvertOptions
  ) {}

  /** Discards the git history: a commit, a branch or a rename may have changed it. */
  forgetHistory (): void {
    this.#history = undefined
  }

  /**
   * The explorations of a unit. A failure is reported, and the unit then has none. `complete` is false when one of its
   * files could not be read. `files` are read instead of those with their paths, and are added to the unit.
   */
  async convert (
    unit: ImportUnit,
    report: ImportReport,
    files: ReadonlyMap<string, Buffer> = new Map()
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
        const text = await readSource(this.source.root, path, report, files.get(path))
        complete &&= text !== undefined
        return text
      }
    }
    const before = report.problems.length
    try {
      const wanted = { ...unit, files: [...new Set([...unit.files, ...files.keys()])] }
      const drafts = (await importer.convert(wanted, context))
        .map((draft) => ({ summaries: [], questions: [], packages: [], ...draft }))
      const records = await Promise.all(drafts.map((draft) => this.#records(unit, draft, report)))
      return { records, complete: complete && (records.length > 0 || report.problems.length === before) }
    } catch (error) {
      report.problem(
        unit.path,
        `left out: it cannot be read as ${unit.format} (${error instanceof Error ? error.message : 'unknown error'})`
      )
      return { records: [], complete: false }
    }
  }

  /** Former paths of an exploration, by the former paths of its files. */
  #formerPaths (records: ExplorationRecords, files: readonly string[], history: GitHistory): string[] {
    const tail = (path: string): string => path.slice(path.lastIndexOf('/'))
    const isFile = files.includes(records.path)
    if (isFile) return [...history.formerPaths(records.path)]
    return [
      ...new Set(
        files.flatMap((file) =>
          history.formerPaths(file).flatMap((former) => {
            // The folder was renamed if its files have the same path inside it.
            const inner = file.startsWith(`${records.path}/`) ? file.slice(records.path.length) : tail(file)
            return former.endsWith(inner) && former.length > inner.length ? [former.slice(0, -inner.length)] : []
          })
        )
      )
    ].filter((path) => path !== records.path)
  }

  async #records (
    { format, files }: ImportUnit, draft: ExplorationDraft, report: ImportReport
  ): Promise<ExplorationRecords> {
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
    if (history) {
      records.former = this.#formerPaths(records, files, history)
      for (const decision of records.decisions) decision.former = [...history.formerPaths(decision.path)]
    }
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

/** The path as a relative reference, escaped so that it is no absolute URL. */
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
