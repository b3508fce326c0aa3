/** What all commands with `--report` and `--baseline` do with their report. */
import { WorkbenchError } from '../../client-testing/exit-codes.js'
import { applyBaseline, readBaseline, differencesFrom, readEarlierRun } from '../../client-testing/reports/baseline.js'
import {
  createReport, failuresFor, type FailOn, type Report, type ReportParts
} from '../../client-testing/reports/report.js'
import { toText } from '../../client-testing/reports/text.js'
import { parseReportFiles, writeReports } from '../../client-testing/reports/write-reports.js'
import { pluralize } from '../../lib/text/text.js'
import type { CliContext } from '../cli-context.js'
import { print, stripControlCharsKeepLines } from '../print/print.js'

export interface ReportOptions {
  /** `FORMAT=FILE`, each. */
  report?: string[]
  baseline?: string
  compare?: string
  failOn?: FailOn
  all?: true
}

export type ReportTarget = Awaited<ReturnType<typeof openReportTarget>>
export type ReportContent = Omit<ReportParts, 'startedAt'>

export const openReportTarget = async ({ report = [], baseline, compare }: ReportOptions) => ({
  files: await parseReportFiles(report),
  baseline: baseline === undefined ? undefined : await readBaseline(baseline),
  earlier: compare === undefined ? undefined : await readEarlierRun(compare),
  startedAt: Date.now()
})

export const deliverReport = async (
  content: ReportContent,
  target: ReportTarget,
  { all, json }: Pick<ReportOptions, 'all'> & { json: boolean },
  { stdout }: Pick<CliContext, 'stdout'>
): Promise<void> => {
  const final = await fileReport(content, target)
  print({ stdout, json }, final, stripControlCharsKeepLines(toText(final, { all: all === true })))
  requireNoFailures(final)
}

export const fileReport = async (
  content: ReportContent, { files, baseline, earlier, startedAt }: ReportTarget
): Promise<Report> => {
  const report = createReport({ ...content, startedAt })
  const known = baseline === undefined ? report : applyBaseline(report, baseline)
  const final = earlier === undefined
    ? known
    : { ...known, notes: [...known.notes, ...differencesFrom(earlier, known.checks)] }
  await writeReports(final, files)
  return final
}

export const requireNoFailures = (report: Report): void => {
  const failures = failuresFor(report)
  if (failures.length > 0) {
    const level = report.fail_on === 'must' ? ' of a MUST' : ''
    throw new WorkbenchError('failed', `${pluralize(failures.length, 'check')}${level} failed.`)
  }
}
