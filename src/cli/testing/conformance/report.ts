/** Formats the results of the official suite: both revisions in one table. */
import { table } from '../../print/table.js'
import { SUITE_REVISIONS, type Scenario } from './official-suite.js'

/** Numbers of scenarios in which something was checked and of their checks, per revision. */
export const totalsOf = (scenarios: readonly Scenario[]) => SUITE_REVISIONS.map((revision) => {
  const of = scenarios.filter((scenario) => scenario.revision === revision)
  const sum = (key: 'passed' | 'failed' | 'warnings'): number =>
    of.reduce((total, scenario) => total + scenario[key], 0)
  const checks = { passed: sum('passed'), failed: sum('failed'), warnings: sum('warnings') }
  return { revision, scenarios: of.filter(isChecked).length, ...checks }
})

/** A table with one row per scenario and one column per revision, then the failed checks and warnings line by line. */
export const tableOf = (scenarios: readonly Scenario[]): string => {
  const names = [...new Set(scenarios.map(({ name }) => name))].sort()
  const cell = (name: string, revision: string): string => {
    const found = scenarios.find((scenario) => scenario.name === name && scenario.revision === revision)
    if (!found) return '·'
    const what = isChecked(found) ? [counts(found)] : found.notExercised ? ['not exercised'] : []
    return [mark(found), ...what, ...found.notScored === undefined ? [] : [`(${found.notScored})`]].join(' ')
  }
  const totals = totalsOf(scenarios).map(({ scenarios: count, passed, failed, warnings }) =>
    `${count} scenarios, ${counts({ passed, failed, warnings })} checks`)
  const rows = names.map((name) => [name, ...SUITE_REVISIONS.map((revision) => cell(name, revision))])
  rows.push(['total', ...totals])
  return [
    table(rows, ['scenario', ...SUITE_REVISIONS].map((title, index) => [title, (row) => row[index]] as const)),
    ...scenarios.some(({ notExercised }) => notExercised) ? [NOT_EXERCISED] : [],
    ...scenarios.flatMap(({ name, revision, complaints }) =>
      complaints.map((complaint) => `\n${revision} ${name}: ${complaint}`))
  ].join('\n')
}

const NOT_EXERCISED =
  '\nNot exercised: the server lacks what these scenarios use, so it was not asked. Most use the fixture of the suite.'

const isChecked = ({ passed, failed, warnings }: Scenario): boolean => passed + failed + warnings > 0

const mark = (scenario: Scenario): string => {
  if (!isChecked(scenario)) return '–'
  return scenario.failed > 0 ? '✗' : scenario.warnings > 0 ? '!' : '✓'
}

const counts = ({ passed, failed, warnings }: Pick<Scenario, 'passed' | 'failed' | 'warnings'>): string =>
  `${passed}/${passed + failed + warnings}`
