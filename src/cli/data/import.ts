/** `import`: imports records as they are, and plans through their importers. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ImportSummary } from '../../administration/ports.js'
import type { Flags } from '../../config/config.js'
import { Refusal } from '../../lib/errors.js'
import { pluralize } from '../../lib/text/text.js'
import { startOf } from '../../importers/records/lines.js'
import type { FormatId } from '../../importers/types.js'
import { parseObject } from '../../lib/json/json-object.js'
import { importPlans, previewPlans, queryOf, type ImportPlansOptions } from './import-plans.js'
import { keptLine } from './import-report.js'
import { print, stripControlChars } from '../print/print.js'
import { table } from '../print/table.js'
import { describeIndex } from './reindex.js'
import { requireReadable } from './require-readable.js'
import { withProgress } from './progress-bar.js'
import type { CliContext, CommandHandler } from '../cli-context.js'
import { withManagement } from '../with-management.js'

interface ImportCommandOptions extends Omit<ImportPlansOptions, 'format' | 'columns' | 'json'> {
  path: string[]
  format: FormatId | 'auto'
  dryRun?: true
  map?: string[]
}

/** Imports one path after the other. The first refusal ends it; what was imported before stays. */
export const importPaths: CommandHandler<ImportCommandOptions> = async (options, context, flags) => {
  const { path: paths, format } = options
  if (options.ndjson && !options.dryRun) {
    throw new Refusal('--ndjson prints what an import would write: use it with --dry-run.')
  }
  const plans: ImportPlansOptions = {
    ...options, format: format === 'auto' ? undefined : format, columns: columnsIn(options.map ?? [])
  }
  if (plans.watch && (paths.length > 1 || options.dryRun || options.strict)) {
    throw new Refusal('--watch follows one path, and imports what it can: use it without --dry-run and --strict.')
  }
  const records: string[] = []
  const others: string[] = []
  for (const path of paths) {
    if (path !== '-') await requireReadable(path, context)
    ;((await isRecords(path, format, context)) ? records : others).push(path)
  }
  if (records.length > 0) {
    if (options.dryRun) {
      const name = stripControlChars(records[0] ?? '')
      throw new Refusal(`${name} holds records already: an import checks all of them before it writes the first.`)
    }
    await importFiles(records, plans, context, flags)
  }
  for (const path of others) {
    if (options.dryRun) await previewPlans(path, plans, context)
    else await importPlans(path, plans, context, flags)
  }
}

const RECORD = new RegExp(
  String.raw`^\uFEFF?\s*\{[^\n]*"type"\s*:\s*"(?:workspace|user|membership|exploration|` +
  'requirement_package|execution_plan|recommendation)"'
)

/** Whether a path contains records: by its start (a JSON line with a `type`, plain or gzip), or by its name. */
const isRecords = async (path: string, format: FormatId | 'auto', { host }: CliContext): Promise<boolean> => {
  if (format !== 'auto') return format === 'ndjson'
  if (path === '-') return true
  const absolute = resolve(host.folder, path)
  if ((await stat(absolute)).isDirectory()) return false
  const start = (await startOf(createReadStream(absolute)).catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal(`${stripControlChars(path)}: ${error.message}`) : error
  })).toString('utf8')
  return RECORD.test(start) || (/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(path) && !isUntyped(start))
}

/** Whether the first line is a JSON object without a `type`, as other tools write them. */
const isUntyped = (start: string): boolean => {
  const value = parseObject(start.split('\n', 1)[0] ?? '')
  return value !== undefined && typeof value['type'] !== 'string'
}

/** Parses `title=Titel` into the column of this product and the column of the file. */
const columnsIn = (given: readonly string[]): Map<string, string> => new Map(given.map((pair) => {
  const [, ours, theirs] = /^([^=]+)=(.+)$/.exec(pair) ?? []
  if (ours === undefined || theirs === undefined) {
    throw new Refusal(`--map ${stripControlChars(pair)}: write it as column=name, such as title=Titel.`)
  }
  return [ours.trim().toLowerCase(), theirs.trim()]
}))

const importFiles = async (
  files: readonly string[], options: ImportPlansOptions, context: CliContext, flags: Flags
): Promise<void> => {
  const { stdout, stderr, stdin, host } = context
  await withManagement(context, flags, async (api) => {
    for (const file of files) {
      const source = file === '-' ? stdin : createReadStream(resolve(host.folder, file))
      const summary = await withProgress(stderr, file, (show) =>
        api.work('POST /imports', source, show, queryOf(options)))
      print({ stdout, json: options.json }, { file, ...summary }, describe(file, summary))
    }
  }, { create: true })
}

const membersOf = (workspaces: number, admin: string | undefined): string =>
  admin === undefined
    ? `${pluralize(workspaces, 'workspace')} new: only members see them, in the pages and with credentials. ` +
      '"members add" adds some; a server administrator joins on the page Workspaces.'
    : `${pluralize(workspaces, 'workspace')} new: ${stripControlChars(admin)} is a member of each.`

function describe (file: string, { total, records, admin, kept, search_index: index }: ImportSummary): string {
  const made = records['workspace']?.created ?? 0
  const rows = Object.entries(records).filter(([, { created, replaced }]) => created + replaced > 0)
  const name = file === '-' ? 'Standard input' : stripControlChars(file)
  if (!rows.length) return `${name}: no records.`
  return (
    `${name}: ${pluralize(total, 'record')}\n` +
    table(rows, [
      ['TYPE', ([type]) => type],
      ['CREATED', ([, { created }]) => created],
      ['REPLACED', ([, { replaced }]) => replaced]
    ]) +
    (made > 0 ? `\n${membersOf(made, admin)}` : '') +
    keptLine(kept) +
    (index ? `\n${describeIndex(index)}` : '')
  )
}
