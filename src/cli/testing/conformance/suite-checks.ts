/** The results of the official suite as checks of a report. */
import { SUITE, type Scenario } from './official-suite.js'
import { createCheck, type Check } from '../../../client-testing/reports/report.js'

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
