/** What all commands with `--report` and `--baseline` do with their report. */
import { WorkbenchError } from '../workbench/exit-codes.js'
import { applyBaseline, readBaseline } from '../workbench/reports/baseline.js'
import { failuresFor, type FailOn, type Report } from '../workbench/reports/report.js'
import { toText } from '../workbench/reports/text.js'
import { writeReports, type ReportFile } from '../workbench/reports/write-reports.js'
import type { CliContext } from './cli-context.js'
import { print, stripControlCharsKeepLines } from './print.js'

export interface ReportOptions {
  /** `FORMAT=FILE`, each. */
  report?: string[]
  baseline?: string
  failOn?: FailOn
  /** Lists passed checks too. */
  all?: true
}

/**
 * Applies the baseline, writes the files, and prints the report.
 * @throws {WorkbenchError} `failed`, when the report has failures that count
 */
export const deliverReport = async (
  report: Report,
  files: readonly ReportFile[],
  { baseline, failOn = 'must', all, json }: ReportOptions & { json: boolean },
  { stdout }: Pick<CliContext, 'stdout'>
): Promise<void> => {
  const final = await fileReport(report, files, { baseline })
  print({ stdout, json }, final, stripControlCharsKeepLines(toText(final, { all: all === true })))
  requireNoFailures(final, failOn)
}

/**
 * Applies the baseline and writes the files. Returns the report with the baseline applied.
 * @throws {Refusal} when the baseline cannot be used, or a file cannot be written
 */
export const fileReport = async (
  report: Report, files: readonly ReportFile[], { baseline }: { baseline?: string | undefined }
): Promise<Report> => {
  const final = baseline === undefined ? report : applyBaseline(report, await readBaseline(baseline))
  await writeReports(final, files)
  return final
}

/**
 * @throws {WorkbenchError} `failed`, when the report has failures that count
 */
export const requireNoFailures = (report: Report, failOn: FailOn): void => {
  const failures = failuresFor(report, failOn)
  if (failures.length > 0) {
    throw new WorkbenchError('failed', `${failures.length} ${failures.length === 1 ? 'check' : 'checks'} failed.`)
  }
}
