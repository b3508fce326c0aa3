/** `import PATH`: imports the plans of a repository, or the export of a tracker. */
import { Readable } from 'node:stream'
import type { PlanImportSummary } from '../../administration/ports.js'
import { readConfig, type Flags } from '../../config/config.js'
import { Refusal } from '../../lib/errors.js'
import { pluralize } from '../../lib/text/text.js'
import { notRead } from '../../importers/describe-found.js'
import { PlanImport, type Conversion } from '../../importers/plan-import.js'
import { linesOf, workspaceRecord } from '../../importers/records/to-records.js'
import type { FormatId } from '../../importers/types.js'
import { followSource } from '../../importers/watch/follow-source.js'
import type { ManagementClient } from '../management-client.js'
import type { SyncCounts } from '../../importers/sync/sync-plans.js'
import { keptText, problemLines, reportText } from './import-report.js'
import { asJson, stripControlChars, stripControlCharsKeepLines } from '../print/print.js'
import { drawProgress } from './progress-bar.js'
import type { CliContext } from '../cli-context.js'
import { withManagement } from '../with-management.js'

export interface ImportPlansOptions {
  workspace?: string | undefined
  format?: FormatId | undefined
  dryRun: boolean
  ndjson: boolean
  strict: boolean
  watch: boolean
  verbose: boolean
  columns: ReadonlyMap<string, string>
}

/**
 * Converts the plans and prints what would be written: the records with `ndjson`, otherwise a report. Writes no
 * data.
 */
export const previewPlans = async (
  path: string,
  options: ImportPlansOptions & { json: boolean, replace: boolean },
  context: CliContext
): Promise<void> => {
  const plans = await openPlans(path, options, context)
  const conversion = await plans.convert()
  requireNoProblems(conversion, options.strict)
  const { stdout, stderr } = context
  const {
    report: { outcomes, remarks, omitted },
    found
  } = conversion
  if (outcomes.length === 0 && !options.json) throw new Refusal(reportText(conversion, path, options.verbose))
  if (!options.ndjson) {
    stdout.write(
      `${
        options.json
          ? asJson({
              path,
              workspace: plans.workspace,
              explorations: outcomes,
              remarks,
              omitted,
              units: found.units.map(({ format, path: unit, reason }) => ({ format, path: unit, reason })),
              not_read: notRead(found, conversion.report)
            })
          : `${reportText(conversion, path, options.verbose)}\nNothing was written: this was a dry run.`
      }\n`
    )
    if (outcomes.length === 0) throw new Refusal(`${stripControlChars(path)}: no plans were found.`)
    return
  }
  for (const line of recordLines(plans, conversion)) stdout.write(line)
  for (const line of problemLines(conversion.report)) stderr.write(`${line}\n`)
}

/**
 * Opens the source at `path`, relative to the folder of the call. `exclude` lists folders that are not read.
 * @throws {Refusal} when the path cannot be read or no format fits
 */
const openPlans = async (
  path: string,
  { workspace, format, columns }: ImportPlansOptions,
  { host }: CliContext,
  exclude: readonly string[] = []
): Promise<PlanImport> => await PlanImport.open(path, { cwd: host.folder, workspace, format, columns, exclude })

/**
 * The check of --strict.
 * @throws {Refusal} that lists the problems
 */
const requireNoProblems = ({ report }: Conversion, strict: boolean): void => {
  if (!strict || report.problems.length === 0) return
  throw new Refusal(
    [...problemLines(report).slice(0, 50), 'Nothing was imported: leave out --strict to import the rest.'].join('\n')
  )
}

/** Imports what changed since the last import, and archives what the source no longer has. */
export const importPlans = async (
  path: string,
  options: ImportPlansOptions & { json: boolean, replace: boolean },
  context: CliContext,
  flags: Flags
): Promise<void> => {
  const { stdout, stderr } = context
  const { dataDir } = readConfig(context.env, flags)
  const plans = await openPlans(path, options, context, [dataDir])
  const print = ({ sync, imported }: PlanImportSummary, conversion: Conversion): void => {
    const { outcomes, remarks, omitted } = conversion.report
    const summary = { path, workspace: plans.workspace, ...sync, imported, results: outcomes, remarks, omitted }
    const read = reportText(conversion, path, options.verbose)
    const text = `${read}\n\n${syncText(plans.workspace, sync)}${keptLine(imported)}`
    stdout.write(`${options.json ? asJson(summary) : text}\n`)
  }
  if (options.watch) {
    await withManagement(
      context, flags, async (api) => { await watchPlans(plans, api, context, print) }, { create: true })
    return
  }
  const conversion = await plans.convert()
  requireNoProblems(conversion, options.strict)
  await withManagement(context, flags, async (api) => {
    const bar = await drawProgress(stderr, path)
    try {
      const summary = await api.work('POST /plan-imports', Readable.from(plans.lines(conversion)), bar.show,
        options.replace ? { replace: 'true' } : {})
      if (conversion.report.outcomes.length === 0 && summary.sync.archived === 0) {
        throw new Refusal(reportText(conversion, path, options.verbose))
      }
      print(summary, conversion)
    } catch (error) {
      if (!(error instanceof Refusal) || error.message.startsWith(path)) throw error
      throw new Refusal(`${stripControlChars(path)}: ${stripControlCharsKeepLines(error.message)}`, error.reason)
    } finally {
      bar.stop()
    }
  }, { create: true })
}

const keptLine = (imported: PlanImportSummary['imported']): string =>
  imported?.kept === undefined ? '' : `\n${keptText(imported.kept)}`

const watchPlans = async (
  plans: PlanImport,
  api: ManagementClient,
  { stderr, onStop }: CliContext,
  print: (summary: PlanImportSummary, conversion: Conversion) => void
): Promise<void> => {
  const stop = new Promise<void>((resolve) => { onStop(resolve) })
  const say = (text: string): void => { stderr.write(`${stripControlCharsKeepLines(text)}\n`) }
  const following = await followSource({
    plans,
    send: (lines) => api.work('POST /plan-imports', lines),
    onImported: print,
    onFailed: (error) => { say(`Not imported: ${error instanceof Error ? error.message : 'unknown error'}`) },
    onFallback: (reason) => {
      say(
      `Not every folder can be watched (${reason}): they are looked at every second instead.`
      )
    }
  })
  say('Following what changes; stop with Ctrl-C.')
  await stop
  await following.stop()
}

/** A sentence on what an import wrote, renamed and archived. */
const syncText = (workspace: string, counts: SyncCounts): string => {
  const { written, unchanged, archived, renamed } = counts
  const done = [
    `${pluralize(written, 'exploration')} written`,
    `${unchanged} unchanged`,
    ...(renamed > 0 ? [`${renamed} renamed`] : []),
    ...(archived > 0 ? [`${archived} archived, because the source no longer has them`] : [])
  ]
  const beginning = counts.workspace_created ? `Workspace ${workspace} was created. ` : `Workspace ${workspace}: `
  return `${beginning}${done.join(', ')}.`
}

/** The workspace, where its slug is known, and all records in the order in which an import needs them. */
const recordLines = (plans: PlanImport, { units }: Conversion): string[] => {
  const explorations = units.flatMap(({ records }) => records)
  const first = explorations.map(({ exploration }) => exploration.created_at).sort()[0]
  const workspace =
    first !== undefined && plans.workspace !== plans.options.workspaceId
      ? [workspaceRecord(plans.workspace, first)]
      : []
  return [...workspace, ...explorations.flatMap(linesOf)].map((record) => `${JSON.stringify(record)}\n`)
}
