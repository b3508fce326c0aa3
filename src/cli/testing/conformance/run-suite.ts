/** Runs what a server can exercise of the official suite, in both eras; its results as checks of a report. */
import { createCheck, type Check } from '../../../client-testing/reports/report.js'
import type { Environment } from '../../../config/config.js'
import type { Offers } from './ask-server.js'
import { unmetNeed } from './fixture-needs.js'
import {
  listScenarios, runScenarios, SKILL_SCENARIOS, SUITE, SUITE_REVISIONS, type Scenario
} from './official-suite.js'

export const runSuite = async (suite: Environment, url: string, offers: Offers): Promise<Scenario[]> => {
  const results: Scenario[] = []
  for (const revision of SUITE_REVISIONS) {
    const all = await listScenarios(suite, revision)
    const lacks = new Map(all.map(({ name }) => [name, lackOf(name, revision, offers)]))
    const asked = all.filter(({ name }) => lacks.get(name) === undefined)
    const isWhole = all.every(({ name }) => SKILL_SCENARIOS.includes(name) || lacks.get(name) === undefined)
    results.push(...await runScenarios(suite, url, asked, isWhole))
    for (const scenario of all) {
      const lack = lacks.get(scenario.name)
      if (lack === undefined) continue
      results.push({
        ...scenario, passed: 0, failed: 0, warnings: 0, skipped: 0, complaints: [], notExercised: lack
      })
    }
  }
  return results
}

/** What a server lacks for a scenario, as a sentence without its point; undefined when it can be asked. */
export const lackOf = (name: string, revision: string, offers: Offers): string | undefined => {
  const offer = offers[revision]
  if (!offer) return `the server does not speak ${revision}`
  const need = unmetNeed(name, offer)
  return need === undefined ? undefined : `the server has no ${need}`
}

/** One check for each scenario of each revision: a failed check fails a MUST, a warning a SHOULD. */
export const suiteChecks = (scenarios: readonly Scenario[], reproduce: string): Check[] =>
  scenarios.map(({ name, revision, passed, failed, warnings, complaints, notScored, notExercised }) => createCheck({
    id: `${revision}/${name}`,
    group: `official suite, ${revision}`,
    title: `Scenario ${name} of ${SUITE}${notScored === undefined ? '' : `, which is not scored (${notScored})`}`,
    level: failed > 0 || warnings === 0 ? 'MUST' : 'SHOULD',
    status: failed + warnings > 0 ? 'failed' : passed > 0 ? 'passed' : 'not-exercised',
    outcome: failed > 0 ? 'failed' : warnings > 0 ? 'warned' : passed > 0 ? 'passed' : 'not exercised',
    detail: notExercised === undefined
      ? [`${passed} of ${passed + failed + warnings} checks passed`, ...complaints].join('\n')
      : `Not asked: ${notExercised}.`,
    reproduce
  }))
