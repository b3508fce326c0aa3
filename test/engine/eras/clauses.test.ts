// Each clause that a refusal names exists: the headings of the specification's pages, as its site makes anchors of them.
import t from 'tap'
import { CLAUSES } from '../../../src/engine/eras/clauses.js'
import { specificationCoverage } from '../../../scripts/docs/specification-coverage.js'
import { AUTHORIZATION_PROFILES } from '../../../src/client-testing/authorization/authorization-profiles.js'
import { AUTHORIZATION_RULES } from '../../../src/client-testing/authorization/authorization-rules.js'
import { PROFILES } from '../../../src/client-testing/profiles/all-profiles.js'
import { REQUIREMENTS } from '../../conformance/requirements.js'

const ANCHORS: Record<string, Record<string, string[]>> = {
  legacy: {
    basic: ['messages', 'error-responses'],
    'basic/transports': ['security-warning', 'sending-messages-to-the-server', 'listening-for-messages-from-the-server', 'multiple-connections',
      'session-management', 'protocol-version-header'],
    'basic/lifecycle': ['capability-negotiation'],
    'basic/authorization': ['token-handling', 'error-handling'],
    'basic/utilities/cancellation': ['behavior-requirements'],
    'server/tools': ['error-handling', 'security-considerations'],
    'server/resources': ['error-handling']
  },
  modern: {
    basic: ['messages', 'error-codes', 'statelessness', 'meta'],
    'basic/versioning': ['protocol-version-negotiation'],
    'basic/transports/streamable-http': ['security-endpoint', 'sending-messages', 'server-validation', 'earlier-streamable-http-revisions'],
    'basic/authorization': ['token-handling', 'error-handling'],
    'basic/patterns/subscriptions': ['multiple-concurrent-subscriptions'],
    'basic/patterns/cancellation': ['behavior-requirements'],
    'server/tools': ['security-considerations'],
    'server/resources': ['error-handling']
  }
}

/** Sections that have none of the words MUST, SHOULD and MAY, and are cited nonetheless. */
const WITHOUT_STATEMENTS = new Set([
  '2025-11-25 basic#responses', '2025-11-25 basic#json-schema-usage', '2026-07-28 basic#json-schema-usage', '2026-07-28 basic/transports',
  '2025-11-25 server/resources#subscriptions', '2026-07-28 server/resources#subscriptions', '2025-11-25 server/tools#tool-result', '2026-07-28 server/tools#tool-result',
  '2025-11-25 server/utilities/completion#completion-results', '2026-07-28 server/utilities/completion#completion-results'
])
/** Extensions are not among the statements; their pages have these names. */
const OF_EXTENSION = /^2026-07-28 seps\/(?:2663-tasks|2640-skills)-extension#[a-z-]+$/

/** The same for profiles. */
const PROFILES_WITHOUT_STATEMENTS = new Set([
  '2025-11-25 basic#responses', '2025-11-25 server/utilities/pagination#pagination-flow', '2026-07-28 server/utilities/pagination#pagination-flow',
  '2025-11-25 server/resources#subscriptions', '2025-11-25 client/sampling#creating-messages', '2025-11-25 client/roots#listing-roots',
  '2025-11-25 server/tools#tool-result', '2026-07-28 server/tools#tool-result'
])

const SECTIONS = new Set(specificationCoverage().flatMap(({ places }) =>
  places.map(({ revision, page, anchor }) => `${revision} ${page}${anchor === '' ? '' : `#${anchor}`}`)))

t.test('requirements link to sections that exist', async (t) => {
  const cited = REQUIREMENTS.flatMap(({ legacy, revision = '2025-11-25', modern }) =>
    [...legacy === undefined ? [] : [`${revision} ${legacy}`], ...modern === undefined ? [] : [`2026-07-28 ${modern}`]])
  t.strictSame(cited.filter((section) => !OF_EXTENSION.test(section) && !SECTIONS.has(section) && !WITHOUT_STATEMENTS.has(section)), [])
  t.strictSame([...WITHOUT_STATEMENTS].filter((section) => SECTIONS.has(section) || !cited.includes(section)), [], 'no exception that is not needed')
})

t.test('profiles and rules of authorization name sections that exist', async (t) => {
  const named = [...PROFILES, ...AUTHORIZATION_PROFILES, ...AUTHORIZATION_RULES].flatMap(({ legacy, modern }) =>
    [...legacy === undefined ? [] : [`2025-11-25 ${legacy}`], ...modern === undefined ? [] : [`2026-07-28 ${modern}`]])
  const known = (section: string) => SECTIONS.has(section) || PROFILES_WITHOUT_STATEMENTS.has(section) || OF_EXTENSION.test(section)
  t.strictSame([...new Set(named)].filter((section) => !known(section)), [])
})

t.test('clauses', async (t) => {
  for (const [kind, eras] of Object.entries(CLAUSES)) {
    for (const [era, [page, anchor]] of Object.entries(eras)) t.ok(ANCHORS[era]?.[page]?.includes(anchor), `${kind} ${era}: ${page}#${anchor}`)
  }
})
