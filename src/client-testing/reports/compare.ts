/** What differs between two runs: checks that fail now, that no longer do, and that are new or gone. */
import { WorkbenchError } from '../exit-codes.js'
import { readReport } from './baseline.js'
import type { Check, CheckStatus } from './report.js'

/** The status of each check of an earlier run, by its id: the worst, where several clients have the same check. */
export type EarlierRun = ReadonlyMap<string, string>

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

/**
 * Reads the report of an earlier run, as `--report json=FILE` wrote it.
 * @throws {WorkbenchError} `usage`, when the file cannot be read or is none
 */
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
