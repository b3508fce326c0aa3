// @any-node: reads tables
// Each statement of the specification with a MUST, SHOULD or MAY is watched for each party that it binds, or says why not; and each clause
// that a refusal, a finding, a requirement or a profile names exists.
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { isWatchedFor, requirementCitations, specificationCoverage } from '../../scripts/docs/specification-coverage.js'
import { FAULTS } from '../../src/engine/eras/faults.js'
import { CLIENT_RULES } from '../../src/engine/engine.js'
import { AUTHORIZATION_PROFILES } from '../../src/client-testing/authorization/authorization-profiles.js'
import { AUTHORIZATION_RULES } from '../../src/client-testing/authorization/authorization-rules.js'
import { PROFILES } from '../../src/client-testing/profiles/all-profiles.js'
import { REQUIREMENTS } from './requirements.js'
import { REASONS } from './statements/reasons.js'

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
const root = new URL('../../', import.meta.url)
const statements = specificationCoverage()
const rulesOfClients = [...PROFILES, ...AUTHORIZATION_PROFILES, ...AUTHORIZATION_RULES]
const nameOf = ({ hash, places: [place] }: typeof statements[number]) =>
  `${hash} ${place?.revision} ${place?.page}#${place?.anchor} ${place?.ordinal}`

t.test('five revisions, each place once', async (t) => {
  const places = statements.flatMap((statement) => statement.places)
  t.strictSame([...new Set(places.map(({ revision }) => revision))].sort(), REVISIONS)
  const names = places.map(({ revision, page, anchor, ordinal }) => `${revision} ${page}#${anchor} ${ordinal}`)
  t.equal(new Set(names).size, names.length)
  t.notOk(names.some((name) => !/^\d{4}-\d\d-\d\d [\w/-]*#[\w-]* [1-9]\d*$/.test(name)))
  t.ok(statements.length > 1000 && names.length > 2200)
})

t.test('each is watched for each party, or says why not', async (t) => {
  const silent = statements.filter((statement) =>
    statement.reasons.length === 0 && statement.binds.some((party) => !isWatchedFor(party, statement)))
  t.strictSame(silent.map(nameOf), [], 'assign it in test/conformance/statements to a requirement, a rule or a profile, or give a reason')
  t.strictSame(statements.filter(({ inOurWords, binds }) => inOurWords.length < 4 || binds.length === 0).map(nameOf), [])
})

t.test('what is named exists', async (t) => {
  const citations = requirementCitations()
  const requirements = new Set(REQUIREMENTS.map(({ id }) => id))
  const profiles = new Set(rulesOfClients.map(({ id }) => id))
  for (const statement of statements) {
    const unknown = [
      ...statement.requirements.filter((id) => !requirements.has(id) || !citations.has(id)),
      ...statement.rules.filter((id) => !Object.hasOwn(CLIENT_RULES, id)),
      ...statement.profiles.filter((id) => !profiles.has(id)),
      ...statement.reasons.filter((id) => !Object.hasOwn(REASONS, id))
    ]
    if (unknown.length > 0) t.fail(`${nameOf(statement)} names ${unknown.join(', ')}`)
  }
  for (const file of new Set([...citations.values()].flatMap((files) => [...files]))) {
    if (!existsSync(new URL(`test/${file}`, root))) t.fail(`test/${file} is not there`)
  }
  t.pass('all of them')
})

t.test('the pages have each statement, and links to files that exist', async (t) => {
  for (const revision of REVISIONS) {
    const folder = new URL('docs/reference/specification/', root)
    const page = readFileSync(new URL(`${revision}.md`, folder), 'utf8')
    const rows = page.split('\n').filter((line) => /^\| .* \| \d+ \| /.test(line))
    t.equal(rows.length, statements.flatMap(({ places }) => places).filter((place) => place.revision === revision).length, revision)
    t.strictSame(rows.filter((row) => / \| \|$/.test(row)), [], 'no row without a watcher or a reason')
    const links = new Set([...page.matchAll(/\]\((\.\.\/[^)#]+)/g)].map(([, path]) => path!))
    t.strictSame([...links].filter((path) => !existsSync(new URL(path, folder))), [])
  }
})

t.test('each reason is needed, and each rule cited, which says in a sentence what it asks, and where', async (t) => {
  const given = new Set(statements.flatMap(({ reasons }) => reasons))
  t.strictSame(Object.keys(REASONS).filter((id) => !given.has(id)), [])
  for (const [id, rule] of Object.entries(CLIENT_RULES)) t.ok(/^[A-Za-z].*[.)]$/.test(rule.sentence) && (rule.legacy ?? rule.modern), id)
  const rules = new Set(statements.flatMap((statement) => statement.rules))
  // The clauses of these have none of the words, or are in a SEP.
  t.strictSame(
    Object.keys(CLIENT_RULES).filter((id) => !rules.has(id)).sort(),
    ['cancelled-in-modern', 'content-type-wrong', 'legacy-mechanism', 'task-ignored']
  )
})

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

const SECTIONS = new Set(statements.flatMap(({ places }) =>
  places.map(({ revision, page, anchor }) => `${revision} ${page}${anchor === '' ? '' : `#${anchor}`}`)))

type Place = string | readonly [page: string, anchor: string] | undefined
const sections = ({ legacy, revision = '2025-11-25', modern }: { legacy?: Place, revision?: string, modern?: Place }): string[] =>
  [[revision, legacy], ['2026-07-28', modern]].flatMap(([of, place]) =>
    place === undefined ? [] : [`${String(of)} ${typeof place === 'string' ? place : (place as readonly string[]).join('#')}`])

t.test('what is cited exists', async (t) => {
  const ofFaults = Object.values(FAULTS)
    .map(({ legacy: [, , ...legacy], modern: [, , ...modern] }) => ({ legacy, modern }))
  const cited = [REQUIREMENTS, rulesOfClients, ofFaults, Object.values(CLIENT_RULES)].flat().flatMap(sections)
  const known = (section: string) => SECTIONS.has(section) || WITHOUT_STATEMENTS.has(section) || OF_EXTENSION.test(section)
  t.strictSame([...new Set(cited)].filter((section) => !known(section)), [])
  t.strictSame([...WITHOUT_STATEMENTS].filter((section) => SECTIONS.has(section) || !cited.includes(section)), [], 'no exception that is not needed')
})
