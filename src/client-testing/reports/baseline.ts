/**
 * What came before a run. A baseline has known failures: they do not fail a run, and a run fails when one of them no
 * longer fails. With an earlier run the checks are compared.
 */
import { readFile } from 'node:fs/promises'
import { unreadable } from '../../lib/error-code.js'
import { isObject, parseObject } from '../../lib/json/json-object.js'
import { WorkbenchError } from '../exit-codes.js'
import { createCheck, REPORT_FORMAT, summaryOf, type Check, type CheckStatus, type Report } from './report.js'

type Baseline = ReadonlySet<string>

const MAX_BYTES = 64 * 1024 * 1024

/** The object in a file that an option names; its checks, when it is a JSON report. */
const readReport = async (file: string, option: string) => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new WorkbenchError('usage', unreadable(`${file} (${option})`, error))
  })
  const value = text.length > MAX_BYTES ? undefined : parseObject(text)
  const { format, checks } = value ?? {}
  return { value, checks: format === REPORT_FORMAT && Array.isArray(checks) ? checks.filter(isObject) : undefined }
}

/** Reads `{"failures": ["id", …]}`, or those of an earlier JSON report. @throws {WorkbenchError} `usage` */
export const readBaseline = async (file: string): Promise<Baseline> => {
  const { value, checks } = await readReport(file, '--baseline')
  if (checks) return new Set(checks.flatMap(({ id, status }) => status === 'failed' ? [String(id)] : []))
  const failures = value?.['failures']
  if (!Array.isArray(failures) || !failures.every((id) => typeof id === 'string')) {
    throw new WorkbenchError('usage',
      `The baseline ${file} is not one: give {"failures": ["id", …]}, or a report of --report json=FILE.`)
  }
  return new Set(failures)
}

export const applyBaseline = (report: Report, baseline: Baseline): Report => {
  const marked = report.checks.map((check): Check =>
    check.status === 'failed' && baseline.has(check.id) ? { ...check, known: true } : check)
  const has = (id: string, status: Check['status']): boolean =>
    marked.some((check) => check.id === id && check.status === status)
  const stale = [...baseline].filter((id) => has(id, 'passed') && !has(id, 'failed'))
  const absent = [...baseline].filter((id) => !has(id, 'passed') && !has(id, 'failed'))
  const checks = [
    ...marked,
    ...stale.map((id) => createCheck({
      id: `baseline/${id}`,
      group: 'baseline',
      title: `The baseline lists ${id} as a failure, and it passes now. Take it from the baseline.`,
      status: 'failed',
      outcome: 'no longer fails'
    }))
  ]
  const notes = absent.length === 0
    ? report.notes
    : [...report.notes, `Not exercised, though the baseline lists it: ${absent.join(', ')}.`]
  return { ...report, checks, notes, summary: summaryOf(checks) }
}

/** The status of each check of an earlier run, by its id: the worst, where several clients have the same check. */
type EarlierRun = ReadonlyMap<string, string>

const WORST: Record<string, number> = { failed: 2, passed: 1 }

const statusesOf = (checks: ReadonlyArray<{ id?: unknown, status?: unknown }>): Map<string, string> => {
  const statuses = new Map<string, string>()
  for (const { id, status } of checks) {
    if (String(id).startsWith('baseline/')) continue
    const before = statuses.get(String(id)) ?? ''
    if ((WORST[String(status)] ?? 0) >= (WORST[before] ?? 0)) statuses.set(String(id), String(status))
  }
  return statuses
}

/** Reads the JSON report of an earlier run. @throws {WorkbenchError} `usage`, when it cannot be read or is none */
export const readEarlierRun = async (file: string): Promise<EarlierRun> => {
  const { checks } = await readReport(file, '--compare')
  if (!checks) throw new WorkbenchError('usage', `${file} (--compare) is no report of --report json=FILE.`)
  return statusesOf(checks)
}

/** Returns one sentence for each way in which the checks differ from those of the earlier run. */
export const differencesFrom = (earlier: EarlierRun, checks: readonly Check[]): string[] => {
  const now = statusesOf(checks)
  const ids = (fits: (before: string | undefined, after: string | undefined) => boolean): string[] =>
    [...new Set([...earlier.keys(), ...now.keys()])].filter((id) => fits(earlier.get(id), now.get(id))).sort()
  const became = (status: CheckStatus) =>
    ids((before, after) => before !== undefined && before !== after && after === status)
  const sentences = Object.entries({
    'now failing': became('failed'),
    'now passing': became('passed'),
    'no longer exercised': became('not-exercised'),
    new: ids((before) => before === undefined),
    gone: ids((_, after) => after === undefined)
  }).flatMap(([what, own]) => own.length === 0 ? [] : [`Since the earlier run: ${what}: ${own.join(', ')}.`])
  return sentences.length > 0 ? sentences : ['Each check has the status that it had in the earlier run.']
}
