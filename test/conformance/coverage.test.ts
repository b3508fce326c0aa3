// Each section of the specification with a MUST, SHOULD or MAY is cited by a requirement, a rule or a profile, or says why not.
import t from 'tap'
import { specificationCoverage } from '../../scripts/docs/specification-coverage.js'
import { CLIENT_RULES } from '../../src/mcp/engine.js'
import { PROFILES } from '../../src/workbench/profiles/all-profiles.js'
import { UNWATCHED } from './unwatched.js'

const sections = specificationCoverage()
const nameOf = ({ revision, page, anchor }: { revision: string, page: string, anchor: string }) => `${revision} ${page}#${anchor}`

t.test('five revisions', async (t) => {
  t.strictSame([...new Set(sections.map(({ revision }) => revision))], ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])
  t.equal(new Set(sections.map(nameOf)).size, sections.length, 'no section twice')
  t.ok(sections.length > 600)
})

t.test('each section is watched, or says why not', async (t) => {
  const silent = sections.filter(({ server, rules, profiles, reason }) =>
    server.length + rules.length + profiles.length === 0 && reason === undefined)
  t.strictSame(silent.map(nameOf), [], 'cite it in requirements.ts, in a rule or a profile, or give a reason in unwatched.ts')
  for (const { reason } of UNWATCHED) t.ok(reason.length > 30, reason)
})

t.test('each reason is needed', async (t) => {
  const given = new Set(sections.map(({ reason }) => reason))
  t.strictSame(UNWATCHED.filter(({ reason }) => !given.has(reason)).map(({ place }) => place.source), [])
})

t.test('what binds clients is cited, too', async (t) => {
  const rules = new Set(sections.flatMap((section) => section.rules))
  const profiles = new Set(sections.flatMap((section) => section.profiles))
  // The clauses of tasks are in a SEP; others are in sections whose statements have none of the words.
  t.ok(rules.size > Object.keys(CLIENT_RULES).length * 0.75, `${rules.size} rules`)
  t.ok(profiles.size > PROFILES.length * 0.75, `${profiles.size} profiles`)
})
