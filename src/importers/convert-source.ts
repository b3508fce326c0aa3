/** Converts the units of a repository or an export into records, and reports the outcome. */
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { ImportReport } from './report.js'
import { toRecords, type ExplorationRecords, type RecordOwner } from './records/to-records.js'
import { IMPORTERS } from './registry.js'
import { gitHistory, type GitHistory } from './source/git.js'
import { absolutePath, type ImportSource } from './source/open-source.js'
import { readSource } from './source/read-source.js'
import type { ConvertContext, ExplorationDraft, FormatId, ImportUnit } from './types.js'

export interface ConvertOptions extends RecordOwner, Pick<ConvertContext, 'statuses' | 'columns'> {
  /** Undefined for all formats. */
  formats: readonly FormatId[] | undefined
  /** Files and folders to read instead of the whole root; empty for the whole. */
  paths: readonly string[]
  /** Folders that are not read, relative to the root: the server's data folder. */
  exclude: ReadonlySet<string>
}

export type Converter = Pick<SourceConverter, 'convert' | 'forgetHistory'>

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
    unit: ImportUnit, report: ImportReport, files: ReadonlyMap<string, Buffer> = new Map()
  ): Promise<{ records: ExplorationRecords[]; complete: boolean }> {
    let complete = true
    const read: ConvertContext['read'] = async (path) => {
      const text = await readSource(this.source.root, path, report, files.get(path))
      complete &&= text !== undefined
      return text
    }
    const context: ConvertContext = {
      ...this.options,
      rootName: this.source.name,
      report,
      read,
      readAll: async (paths) => (await Promise.all(paths.map(read))).flatMap((text) => text ?? [])
    }
    const before = report.problems.length
    try {
      const importer = IMPORTERS.find(({ id }) => id === unit.format)
      if (!importer) throw new Error(`there is no importer ${unit.format}`)
      const drafts = await importer.convert({ ...unit, files: [...new Set([...unit.files, ...files.keys()])] }, context)
      const records: ExplorationRecords[] = []
      // One after the other, as the report lists them.
      for (const draft of drafts) {
        records.push(await this.#records(unit, {
          path: unit.path,
          status: draft.plan?.progress ?? 'draft',
          summaries: [],
          questions: [],
          packages: [],
          decisions: [],
          ...draft,
          source: draft.source ?? { path: unit.files[0] ?? unit.path }
        }, report))
      }
      return { records, complete: complete && (records.length > 0 || report.problems.length === before) }
    } catch (error) {
      return failed(unit, report, error)
    }
  }

  async #records (
    { format, files }: ImportUnit, draft: ExplorationDraft, report: ImportReport
  ): Promise<ExplorationRecords> {
    const { repository, under } = this.source
    const history = await (this.#history ??= repository ? gitHistory(repository, under) : Promise.resolve(undefined))
    const records = await toRecords(format, draft, {
      ...this.options,
      report,
      urlOf: (path, line) => history?.urlOf(path, line) ?? localAddress(path, line),
      timesOf: async (path) => history?.timesOf(path) ?? (await fileTimes(absolutePath(this.source, path)))
    })
    if (history) {
      records.former = formerPaths(records, files, history)
      for (const decision of records.decisions) decision.former = history.formerPaths(decision.path)
    }
    const { exploration: { title, status, questions }, plan, path, decisions } = records
    report.outcomes.push({
      format,
      path,
      title,
      status,
      groups: plan?.groups.length ?? 0,
      items: plan?.items.length ?? 0,
      done: plan?.items.filter((item) => item.status === 'done').length ?? 0,
      dependencies: plan?.dependencies.length ?? 0,
      gates: plan?.gates.length ?? 0,
      open_questions: questions.filter((question) => question.status === 'open').length,
      answered_questions: questions.filter((question) => question.status === 'answered').length,
      packages: draft.packages.map(({ artifactType, paths }) => ({ artifact_type: artifactType, paths })),
      decisions: decisions.length
    })
    return records
  }
}

export const failed = (
  { path, format }: ImportUnit, report: ImportReport, error: unknown
): Awaited<ReturnType<SourceConverter['convert']>> => {
  const reason = error instanceof Error ? error.message : 'unknown error'
  report.problem(path, `left out: it cannot be read as ${format} (${reason})`)
  return { records: [], complete: false }
}

const formerPaths = (
  { path }: ExplorationRecords, files: readonly string[], history: GitHistory
): readonly string[] => {
  if (files.includes(path)) return history.formerPaths(path)
  const folders = files.flatMap((file) => {
    // The folder was renamed if its files have the same path inside it.
    const inner = file.slice(file.startsWith(`${path}/`) ? path.length : file.lastIndexOf('/'))
    return history.formerPaths(file).flatMap((former) => former.endsWith(inner) ? former.slice(0, -inner.length) : [])
  })
  return [...new Set(folders)].filter((folder) => folder !== '' && folder !== path)
}

/** The path as a relative reference, escaped so that it is no absolute URL. */
const localAddress = (path: string, line: number | undefined): string =>
  `${path.split('/').map(encodeURIComponent).join('/')}${line === undefined || extname(path) === '' ? '' : `#L${line}`}`

const fileTimes = async (path: string): Promise<{ created: string; modified: string }> => {
  const { mtime } = await stat(path).catch(() => ({ mtime: new Date() }))
  return { created: mtime.toISOString(), modified: mtime.toISOString() }
}
