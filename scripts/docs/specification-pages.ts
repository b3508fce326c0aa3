/**
 * Writes what the specification says and what watches it. docs/reference/requirements.md: its clauses for servers, and the tests that cite
 * each. specification-coverage.md: how much of five revisions is watched, the rules for clients, and the reasons.
 * specification/REVISION.md: each statement of a revision.
 */
import { AUTHORIZATION_PROFILES } from '../../src/client-testing/authorization/authorization-profiles.js'
import { PROFILES } from '../../src/client-testing/profiles/all-profiles.js'
import { toClause } from '../../src/client-testing/reports/report.js'
import { CLIENT_RULES } from '../../src/engine/engine.js'
import { REQUIREMENTS } from '../../test/conformance/requirements.js'
import { REASONS } from '../../test/conformance/statements/reasons.js'
import { markdownTable, writePage } from '../markdown.mjs'
import {
  isWatchedFor, requirementCitations, specificationCoverage, type CoveredStatement, type Party, type StatementPlace
} from './specification-coverage.js'

const BY = 'npm run fresh'
const [LEGACY, MODERN] = ['2025-11-25', '2026-07-28'] as const
const statements = specificationCoverage()
const citations = requirementCitations()
const revisions = [...new Set(statements.flatMap(({ places }) => places.map(({ revision }) => revision)))].sort().reverse()
const revisionLinks = revisions.map((revision) => `[${revision}](specification/${revision}.md)`)

const clauseLink = (revision: string, place: string, text = place): string => `[${text}](${toClause(revision, place).url})`
interface Placed { place: StatementPlace, statement: CoveredStatement }
const placedIn = (revision: string): Placed[] => statements.flatMap((statement) =>
  statement.places.filter((place) => place.revision === revision).map((place) => ({ place, statement })))

const linkOrDash = (revision: string, place: string | undefined): string => place === undefined ? '–' : clauseLink(revision, place)

await writePage('requirements.md', BY, [
  '# Requirements',
  `What the specification asks of a server, clause by clause, in our words. Each is cited by the tests that prove it; a test fails
for a requirement that no test cites. For each MUST there is a change that breaks it, for which a test that is cited has to fail (\`npm run mutants\`). Rows that name a revision are about that revision.
[Coverage of the specification](specification-coverage.md) has every statement of five revisions, what binds clients, and why nothing watches the rest; statement by
statement: ${revisionLinks.join(', ')}.`,
  markdownTable(['id', 'level', 'requirement', LEGACY, MODERN, 'tests'], REQUIREMENTS.map(({ id, level, legacy, revision = LEGACY, modern, says }) => [
    `\`${id}\``, level, says, linkOrDash(revision, legacy), linkOrDash(MODERN, modern),
    [...citations.get(id) ?? []].map((file) => `[${file}](../../test/${file})`).join('<br>')
  ]))
])

const SERVERS: readonly Party[] = ['server', 'authorization server']
const CLIENTS: readonly Party[] = ['client', 'host']

const bound = (all: readonly CoveredStatement[], parties: readonly Party[], level: string): CoveredStatement[] =>
  all.filter((statement) => statement.level === level && statement.binds.some((party) => parties.includes(party)))

const countRow = (name: string, own: readonly CoveredStatement[]): Array<string | number> => {
  const shares = [SERVERS, CLIENTS].flatMap((parties) => ['MUST', 'SHOULD'].map((level) => {
    const all = bound(own, parties, level)
    return `${all.filter((statement) => parties.some((party) => isWatchedFor(party, statement))).length} of ${all.length}`
  }))
  return [name, own.length, ...shares, own.filter(({ level }) => level === 'MAY').length]
}

const reasonSection = ([id, reason]: [string, string]): string => {
  const own = statements.filter(({ reasons }) => reasons.includes(id))
  const alone = bound(own, SERVERS, 'MUST').filter(({ requirements }) => requirements.length === 0).length
  return `### ${id}\n\n${reason}\n\n${own.length} ${own.length === 1 ? 'statement' : 'statements'}; ${alone} of them a MUST for servers that no test proves.`
}

const COUNTED = ['server: MUST, proved', 'server: SHOULD, proved', 'client: MUST, watched', 'client: SHOULD, watched']
await writePage('specification-coverage.md', BY, [
  '# Coverage of the specification',
  `Every statement of five revisions with a MUST, SHOULD or MAY: whom it binds, and what watches it. For servers these are tests, by the [requirements](requirements.md)
that they cite; for clients the [rules](#rules-for-clients) of [\`observe\` and \`grade\`](../how-to/grade-a-client.md) and the [profiles](profiles.md). Where nothing watches a
statement, or not for each party that it binds, a [reason](#reasons) says why. A test fails for a statement that has neither. A statement that several revisions have in the same words
counts once in the last row.`,
  markdownTable(['statements of', 'all', ...COUNTED, 'permissions'], [
    ...revisions.map((revision, n) => countRow(revisionLinks[n] ?? '', [...new Set(placedIn(revision).map(({ statement }) => statement))])),
    countRow('all of them', statements)
  ], `|---|${'---:|'.repeat(6)}`),
  `The statements are extracted by \`node scripts/docs/normative-statements.mjs CLONE\` from a clone of the specification's repository; with \`--check\` it fails when one is missing here. They are
known by their place and by a hash: the words are in the specification, which the pages link to, and what stands here is a label in our words.`,
  '## Rules for clients',
  markdownTable(['rule', 'level', 'what it asks', 'clauses'], Object.entries(CLIENT_RULES).map(([id, { level, sentence, legacy, modern }]) => [
    `\`${id}\``, level, sentence,
    [...legacy ? [clauseLink(LEGACY, legacy.join('#'))] : [], ...modern ? [clauseLink(MODERN, modern.join('#'))] : []].join('<br>')
  ])),
  `The ${PROFILES.length + AUTHORIZATION_PROFILES.length} profiles are in [their own page](profiles.md).`,
  '## Reasons',
  'Why nothing watches a statement, or not for each party that it binds.',
  ...Object.entries(REASONS).map(reasonSection)
])

/** The id as a link to the first test that cites it, and numbers for the others. */
const testLinks = (id: string): string => [...citations.get(id) ?? []]
  .map((file, index) => `[${index === 0 ? `\`${id}\`` : index + 1}](../../../test/${file})`)
  .join(' ')

const watchersOf = ({ requirements, rules, profiles, reasons }: CoveredStatement): string => [
  ...requirements.map(testLinks),
  ...rules.map((id) => `[rule \`${id}\`](../specification-coverage.md#rules-for-clients)`),
  ...profiles.map((id) => `[profile \`${id}\`](../profiles.md#${id})`),
  ...reasons.map((id) => `[reason: ${id.replaceAll('-', ' ')}](../specification-coverage.md#${id})`)
].join(', ')

/** One table of a page of the specification, by section; a section stands in its first row. */
const pageSection = (page: string, placed: readonly Placed[]): string => {
  const anchors = [...new Set(placed.map(({ place }) => place.anchor))]
  const ordered = placed.toSorted(({ place: one }, { place: other }) =>
    anchors.indexOf(one.anchor) - anchors.indexOf(other.anchor) || one.ordinal - other.ordinal)
  const rows = ordered.map(({ place: { revision, anchor, ordinal }, statement }, index) => [
    ordered[index - 1]?.place.anchor === anchor ? '' : clauseLink(revision, anchor === '' ? page : `${page}#${anchor}`, anchor || page || 'introduction'),
    ordinal, statement.levels, statement.binds.join(', '), statement.inOurWords, watchersOf(statement)
  ])
  return `## ${page || 'introduction'}\n\n${markdownTable(['section', '#', 'level', 'binds', 'in our words', 'watched by'], rows, '|---|---:|---|---|---|---|')}`
}

for (const revision of revisions) {
  const placed = placedIn(revision)
  const pages = [...new Set(placed.map(({ place }) => place.page))].sort()
  await writePage(`specification/${revision}.md`, BY, [
    `# Statements of ${revision}`,
    `The ${placed.length} places of this revision with a MUST, SHOULD or MAY, numbered by section, with a label in our words. Ids of [requirements](../requirements.md) lead to the tests that prove them.
[Coverage of the specification](../specification-coverage.md) has the figures, the rules and the reasons.`,
    ...pages.map((page) => pageSection(page, placed.filter(({ place }) => place.page === page)))
  ])
}
