// @any-node: reads tables
// Each statement of the specification with a MUST, SHOULD or MAY is watched for each party that it binds, or says why not.
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { requirementCitations } from '../../scripts/docs/requirement-citations.js'
import { isWatchedFor, specificationCoverage } from '../../scripts/docs/specification-coverage.js'
import { CLIENT_RULES } from '../../src/engine/engine.js'
import { AUTHORIZATION_PROFILES } from '../../src/client-testing/authorization/authorization-profiles.js'
import { AUTHORIZATION_RULES } from '../../src/client-testing/authorization/authorization-rules.js'
import { PROFILES } from '../../src/client-testing/profiles/all-profiles.js'
import { REQUIREMENTS } from './requirements.js'
import { REASONS } from './statements/reasons.js'

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
const root = new URL('../../', import.meta.url)
const statements = specificationCoverage()
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
  const profiles = new Set([...PROFILES, ...AUTHORIZATION_PROFILES, ...AUTHORIZATION_RULES].map(({ id }) => id))
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

t.test('each reason is needed', async (t) => {
  const given = new Set(statements.flatMap(({ reasons }) => reasons))
  t.strictSame(Object.keys(REASONS).filter((id) => !given.has(id)), [])
})

t.test('rules are cited', async (t) => {
  const rules = new Set(statements.flatMap((statement) => statement.rules))
  // The clauses of these have none of the words, or are in a SEP.
  t.strictSame(
    Object.keys(CLIENT_RULES).filter((id) => !rules.has(id)).sort(),
    ['cancelled-in-modern', 'content-type-wrong', 'legacy-mechanism', 'task-ignored']
  )
})
