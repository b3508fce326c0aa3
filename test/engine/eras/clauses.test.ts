// Each clause that a refusal, a finding, a requirement or a profile names exists: the headings of the specification's pages.
import t from 'tap'
import { CLAUSES } from '../../../src/engine/eras/clauses.js'
import { CLIENT_RULES } from '../../../src/engine/engine.js'
import { specificationCoverage } from '../../../scripts/docs/specification-coverage.js'
import { AUTHORIZATION_PROFILES } from '../../../src/client-testing/authorization/authorization-profiles.js'
import { AUTHORIZATION_RULES } from '../../../src/client-testing/authorization/authorization-rules.js'
import { PROFILES } from '../../../src/client-testing/profiles/all-profiles.js'
import { REQUIREMENTS } from '../../conformance/requirements.js'

/** Sections that have none of the words MUST, SHOULD and MAY, and are cited nonetheless. */
const WITHOUT_STATEMENTS = new Set([
  '2025-11-25 basic#responses', '2025-11-25 basic#json-schema-usage', '2026-07-28 basic#json-schema-usage', '2026-07-28 basic/transports',
  '2025-11-25 server/resources#subscriptions', '2026-07-28 server/resources#subscriptions', '2025-11-25 server/tools#tool-result', '2026-07-28 server/tools#tool-result',
  '2025-11-25 server/utilities/completion#completion-results', '2026-07-28 server/utilities/completion#completion-results',
  '2025-11-25 server/utilities/pagination#pagination-flow', '2026-07-28 server/utilities/pagination#pagination-flow',
  '2025-11-25 client/sampling#creating-messages', '2025-11-25 client/roots#listing-roots', '2025-11-25 basic/lifecycle#capability-negotiation',
  '2026-07-28 server/discover#response'
])
/** Extensions are not among the statements; their pages have these names. */
const OF_EXTENSION = /^2026-07-28 seps\/(?:2663-tasks|2640-skills)-extension#[a-z-]+$/

const SECTIONS = new Set(specificationCoverage().flatMap(({ places }) =>
  places.map(({ revision, page, anchor }) => `${revision} ${page}${anchor === '' ? '' : `#${anchor}`}`)))

type Place = string | readonly [page: string, anchor: string] | undefined
const sections = ({ legacy, revision = '2025-11-25', modern }: { legacy?: Place, revision?: string, modern?: Place }): string[] =>
  [[revision, legacy], ['2026-07-28', modern]].flatMap(([of, place]) =>
    place === undefined ? [] : [`${String(of)} ${typeof place === 'string' ? place : (place as readonly string[]).join('#')}`])

t.test('what is cited exists', async (t) => {
  const tables = [REQUIREMENTS, PROFILES, AUTHORIZATION_PROFILES, AUTHORIZATION_RULES, Object.values(CLAUSES), Object.values(CLIENT_RULES)]
  const cited = tables.flat().flatMap(sections)
  const known = (section: string) => SECTIONS.has(section) || WITHOUT_STATEMENTS.has(section) || OF_EXTENSION.test(section)
  t.strictSame([...new Set(cited)].filter((section) => !known(section)), [])
  t.strictSame([...WITHOUT_STATEMENTS].filter((section) => SECTIONS.has(section) || !cited.includes(section)), [], 'no exception that is not needed')
})

t.test('each rule says in a sentence what it asks, and where', async (t) => {
  for (const [id, rule] of Object.entries(CLIENT_RULES)) {
    t.match(rule.sentence, /^[A-Za-z].*[.)]$/, id)
    t.ok(rule.legacy ?? rule.modern, id)
  }
})
