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
import { keptLine, problemLines, reportText } from './import-report.js'
import { print, stripControlChars, stripControlCharsKeepLines } from '../print/print.js'
import { withProgress } from './progress-bar.js'
import type { CliContext } from '../cli-context.js'
import { withManagement } from '../with-management.js'

export interface ImportPlansOptions {
  workspace?: string
  format?: FormatId | undefined
  ndjson?: true
  strict?: true
  watch?: true
  replace?: true
  verbose?: true
  columns: ReadonlyMap<string, string>
  json: boolean
}

export const previewPlans = async (path: string, options: ImportPlansOptions, context: CliContext): Promise<void> => {
  const { stdout, stderr, host } = context
  const plans = await PlanImport.open(path, { ...options, cwd: host.folder })
  const conversion = await plans.convert()
  requireNoProblems(conversion, options)
  const { report: { outcomes, remarks, omitted }, found } = conversion
  if (outcomes.length === 0 && !options.json) throw new Refusal(reportText(conversion, path, options.verbose))
  if (options.ndjson) {
    for (const line of recordLines(plans, conversion)) stdout.write(line)
    for (const line of problemLines(conversion.report)) stderr.write(`${line}\n`)
    return
  }
  print({ stdout, json: options.json }, {
    path,
    workspace: plans.workspace,
    explorations: outcomes,
    remarks,
    omitted,
    units: found.units.map(({ format, path: unit, reason }) => ({ format, path: unit, reason })),
    not_read: notRead(found, conversion.report)
  }, `${reportText(conversion, path, options.verbose)}\nNothing was written: this was a dry run.`)
  if (outcomes.length === 0) throw new Refusal(`${stripControlChars(path)}: no plans were found.`)
}

const requireNoProblems = ({ report }: Conversion, { strict }: ImportPlansOptions): void => {
  if (!strict || report.problems.length === 0) return
  const problems = problemLines(report).slice(0, 50)
  throw new Refusal([...problems, 'Nothing was imported: leave out --strict to import the rest.'].join('\n'))
}

export const queryOf = ({ replace }: ImportPlansOptions): Record<string, string> => replace ? { replace: 'true' } : {}

export const importPlans = async (
  path: string, options: ImportPlansOptions, context: CliContext, flags: Flags
): Promise<void> => {
  const { stdout, stderr, host } = context
  const { dataDir } = readConfig(context.env, flags)
  const plans = await PlanImport.open(path, { ...options, cwd: host.folder, exclude: [dataDir] })
  const say = ({ sync, imported }: PlanImportSummary, conversion: Conversion): void => {
    const { outcomes, remarks, omitted } = conversion.report
    const summary = { path, workspace: plans.workspace, ...sync, imported, results: outcomes, remarks, omitted }
    const read = reportText(conversion, path, options.verbose)
    const written = `${syncText(plans.workspace, sync)}${keptLine(imported?.kept)}`
    print({ stdout, json: options.json }, summary, `${read}\n\n${written}`)
  }
  if (options.watch) {
    return withManagement(context, flags, (api) => watchPlans(plans, api, context, say), { create: true })
  }
  const conversion = await plans.convert()
  requireNoProblems(conversion, options)
  await withManagement(context, flags, async (api) => {
    const summary = await withProgress(stderr, path, (show) =>
      api.work('POST /plan-imports', Readable.from(plans.lines(conversion)), show, queryOf(options)))
    if (conversion.report.outcomes.length === 0 && summary.sync.archived === 0) {
      throw new Refusal(reportText(conversion, path, options.verbose))
    }
    say(summary, conversion)
  }, { create: true })
}

const watchPlans = async (
  plans: PlanImport, api: ManagementClient, { stderr, onStop }: CliContext,
  onImported: (summary: PlanImportSummary, conversion: Conversion) => void
): Promise<void> => {
  const stop = new Promise<void>((resolve) => { onStop(resolve) })
  const say = (text: string): void => { stderr.write(`${stripControlCharsKeepLines(text)}\n`) }
  const following = await followSource({
    plans,
    send: (lines) => api.work('POST /plan-imports', lines),
    onImported,
    onFailed: (error) => { say(`Not imported: ${error instanceof Error ? error.message : 'unknown error'}`) },
    onFallback: (reason) => {
      say(`Not every folder can be watched (${reason}): they are looked at every second instead.`)
    }
  })
  say('Following what changes; stop with Ctrl-C.')
  await stop
  await following.stop()
}

const syncText = (workspace: string, counts: SyncCounts): string => {
  const { written, unchanged, archived, renamed } = counts
  const done = [
    `${pluralize(written, 'exploration')} written, ${unchanged} unchanged`,
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
  const isNamed = first !== undefined && plans.workspace !== plans.options.workspaceId
  const workspace = isNamed ? [workspaceRecord(plans.workspace, first)] : []
  return [...workspace, ...explorations.flatMap(linesOf)].map((record) => `${JSON.stringify(record)}\n`)
}
