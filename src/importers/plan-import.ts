/** One import of a repository or an export, from the path that was named to its records: what the commands and the watcher run. */
import { resolve } from 'node:path'
import { Refusal } from '../lib/errors.js'
import { findUnits, SourceConverter, type ConvertOptions, type FoundUnits } from './convert-source.js'
import { ImportReport } from './report.js'
import { uuid5 } from './records/uuid5.js'
import { workspaceIdOf, type ExplorationRecords } from './records/to-records.js'
import { FORMATS } from './registry.js'
import { readImportSettings } from './settings.js'
import { openSource, type ImportSource } from './source/open-source.js'
import { relativePath } from './source/walk.js'
import { planLines, sentExploration, type PlanManifest, type SentExploration } from './sync/plan-lines.js'
import type { FormatId, ImportUnit } from './types.js'
import { isUuid } from '../lib/uuid.js'

export interface PlanImportOptions {
  /** The folder that a relative path counts from. */
  cwd: string
  /** Slug or id; what the repository's settings say when absent, else a slug out of its name. */
  workspace?: string | undefined
  /** Undefined for what the settings say, else all. */
  format?: FormatId | undefined
  /** Absolute paths of folders that are left out: the server's own data. */
  exclude?: readonly string[]
  /** Our name of a column → the file's. */
  columns?: ReadonlyMap<string, string>
}

export interface ConvertedUnit {
  unit: ImportUnit
  records: ExplorationRecords[]
  /** False when a file of it could not be read: what was imported of it before is to stay. */
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
    readonly converter: SourceConverter
  ) {}

  /** @throws Refusal for a path that cannot be read, a workspace that is no slug, or settings that are wrong. */
  static async open (path: string, { cwd, workspace, format, columns, exclude = [] }: PlanImportOptions): Promise<PlanImport> {
    const source = await openSource(path, cwd)
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
      // A path that was named on the command line wins over those of the settings.
      paths: source.file === undefined && source.under === '' ? (settings.paths ?? []) : [],
      exclude: new Set(exclude.map((folder) => relativePath(source.root, resolve(cwd, folder))))
    }
    return new PlanImport(source, named, options, new SourceConverter(source, options))
  }

  find (report: ImportReport): Promise<FoundUnits> {
    return findUnits(this.source, this.options, report)
  }

  /** Everything, unit by unit; `each` is told how many are done. */
  async convert (each: (done: number, total: number) => void = () => {}): Promise<Conversion> {
    const report = new ImportReport()
    const found = await this.find(report)
    const units: ConvertedUnit[] = []
    for (const unit of found.units) {
      units.push({ unit, ...(await this.converter.convert(unit, report)) })
      each(units.length, found.units.length)
    }
    return { found, units, report }
  }

  /**
   * What a server needs to bring the workspace up to date. `changed`: the units that are sent, all when absent; the
   * others are named only, so that they are not taken for vanished.
   */
  async * lines (
    { units }: Pick<Conversion, 'units'>,
    changed: ReadonlySet<ConvertedUnit> = new Set(units)
  ): AsyncGenerator<Buffer> {
    const manifest: PlanManifest = {
      workspace: this.workspace,
      source: this.source.key.slice(0, 1000),
      formats: (this.options.formats ?? FORMATS).filter((format) => !NAMED_ONLY.includes(format)),
      folders:
        this.source.file === undefined
          ? this.options.paths.length > 0
            ? [...this.options.paths]
            : [this.source.under]
          : [],
      present: units.flatMap(({ records }) => records.map(({ format, path }) => [format, path])),
      unread: units.filter(({ complete }) => !complete).map(({ unit }) => unit.path)
    }
    yield * planLines(manifest, this.#sent(units.filter((unit) => changed.has(unit))))
  }

  async * #sent (units: readonly ConvertedUnit[]): AsyncGenerator<SentExploration> {
    for (const { unit, records } of units) {
      for (const record of records) {
        const former = await this.converter.formerPaths(record, unit.files)
        const formerOfFiles = new Map<string, string[]>()
        for (const { path } of record.decisions) { formerOfFiles.set(path, [...(await this.converter.formerPathsOfFile(path))]) }
        yield sentExploration(record, former, (path) => formerOfFiles.get(path) ?? [])
      }
    }
  }
}

/** Of an export: its projects go by their keys, and one that an export lacks may be in another. */
const NAMED_ONLY: readonly FormatId[] = ['linear-csv', 'jira-csv', 'github', 'ndjson']

/** `github.com/owner/Name.js` → `name-js`. */
export const slugOf = (key: string): string =>
  key
    .slice(key.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63) || `repository-${uuid5('slug', key).slice(0, 8)}`
