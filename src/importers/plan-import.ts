/** One import of a repository or an export, from its path to its records. The commands and the watcher run it. */
import { resolve } from 'node:path'
import { Refusal } from '../lib/errors.js'
import { SourceConverter, type ConvertOptions, type Converter } from './convert-source.js'
import { threadConverter } from './convert-thread.js'
import { distinctTitles } from './distinct-titles.js'
import { findUnits, type FoundUnits } from './find-units.js'
import { IMPORTERS } from './registry.js'
import { ImportReport } from './report.js'
import { uuid5, workspaceIdOf, type ExplorationRecords } from './records/to-records.js'
import { readImportSettings } from './settings.js'
import { openSource, type ImportSource } from './source/open-source.js'
import { relativePath } from './source/paths.js'
import { planLines, type PlanManifest } from './sync/plan-lines.js'
import { FORMATS, type FormatId, type ImportUnit } from './types.js'
import { isUuid } from '../lib/uuid.js'

export interface PlanImportOptions {
  cwd: string
  /** Slug or id. By default the one in the repository's settings, else a slug of its name. */
  workspace?: string | undefined
  /** By default the format in the settings, else all. */
  format?: FormatId | undefined
  /** Absolute paths of folders that are not read: the server's data folder. */
  exclude?: readonly string[]
  /** The file's names of columns, by standard name. */
  columns?: ReadonlyMap<string, string>
  /** Whether units are converted in a worker thread, so that the server keeps answering. */
  inThread?: boolean
  /** Whether git is asked when and where files were changed. True unless given. */
  history?: boolean
}

export interface ConvertedUnit {
  unit: ImportUnit
  records: ExplorationRecords[]
  /** False when a file could not be read: records of it that were imported before must stay. */
  complete: boolean
}

export interface Conversion {
  found: FoundUnits
  units: ConvertedUnit[]
  report: ImportReport
}

const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/

export class PlanImport {
  private constructor (
    readonly source: ImportSource,
    readonly workspace: string,
    readonly options: ConvertOptions,
    readonly converter: Converter
  ) {}

  /** @throws {Refusal} for an unreadable path, an invalid workspace, or invalid settings */
  static async open (
    path: string, { cwd, workspace, format, columns, exclude = [], inThread = false, history = true }: PlanImportOptions
  ): Promise<PlanImport> {
    const opened = await openSource(path, cwd)
    const source = history ? opened : { ...opened, repository: undefined }
    const settings = await readImportSettings(source.root)
    const named = workspace ?? settings.workspace ?? slugOf(source.key)
    if (!SLUG.test(named) && !isUuid(named)) {
      throw new Refusal(
        `${JSON.stringify(named)} is no slug of a workspace: it has lower-case letters, digits and hyphens, at most 63.`
      )
    }
    const options: ConvertOptions = {
      workspace: named,
      workspaceId: isUuid(named) ? named : workspaceIdOf(named),
      formats: format ? [format] : settings.formats,
      statuses: new Map(
        Object.entries(settings.statuses ?? {}).map(([words, status]) => [words.trim().toLowerCase(), status])
      ),
      columns: new Map([
        ...Object.entries(settings.columns ?? {}).map(([ours, theirs]) => [ours.toLowerCase(), theirs] as const),
        ...(columns ?? [])
      ]),
      sourceName: settings.source ?? '',
      // A path on the command line takes precedence over those in the settings.
      paths: source.file === undefined && source.under === '' ? (settings.paths ?? []) : [],
      exclude: new Set(exclude.map((folder) => relativePath(source.root, resolve(cwd, folder))))
    }
    const converter = inThread ? threadConverter(source, options) : new SourceConverter(source, options)
    return new PlanImport(source, named, options, converter)
  }

  find (report: ImportReport): Promise<FoundUnits> {
    return findUnits(this.source, this.options, report)
  }

  async convert (): Promise<Conversion> {
    const report = new ImportReport()
    const found = await this.find(report)
    const units: ConvertedUnit[] = []
    for (const unit of found.units) units.push({ unit, ...(await this.converter.convert(unit, report)) })
    distinctTitles(units, report)
    return { found, units, report }
  }

  /** The lines that a server needs; units that have not `changed` are only named, so as not to count as vanished. */
  lines (
    { units }: Pick<Conversion, 'units'>, changed: ReadonlySet<ConvertedUnit> = new Set(units)
  ): Generator<Buffer> {
    const { file, under, key } = this.source
    const { formats = FORMATS, paths } = this.options
    const manifest: PlanManifest = {
      workspace: this.workspace,
      source: key.slice(0, 1000),
      formats: formats.filter((format) => !NAMED_ONLY.includes(format)),
      folders: file !== undefined ? [] : paths.length > 0 ? [...paths] : [under],
      present: units.flatMap(({ records }) => records.map(({ format, path }) => [format, path])),
      unread: units.filter(({ complete }) => !complete).map(({ unit }) => unit.path)
    }
    return planLines(manifest, units.filter((unit) => changed.has(unit)).flatMap(({ records }) => records))
  }
}

/** Exports have their project's key as path. A project that is missing in one may be in another: none is archived. */
const NAMED_ONLY: readonly FormatId[] = ['ndjson', ...IMPORTERS.flatMap(({ id, exports }) => exports ? id : [])]

/** `github.com/owner/Name.js` → `name-js`. */
const slugOf = (key: string): string => {
  const words = key.slice(key.lastIndexOf('/') + 1).toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return words.replaceAll(/^-+|-+$/g, '').slice(0, 63) || `repository-${uuid5('slug', key).slice(0, 8)}`
}
