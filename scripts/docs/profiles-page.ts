/** Writes docs/reference/profiles.md: the profiles of misbehaviour, and the exit codes of the testing commands. */
import { EXIT_CODES } from '../../src/client-testing/exit-codes.js'
import { AUTHORIZATION_PROFILES } from '../../src/client-testing/authorization/authorization-profiles.js'
import { AUTHORIZATION_RULES } from '../../src/client-testing/authorization/authorization-rules.js'
import { PROFILES } from '../../src/client-testing/profiles/all-profiles.js'
import { clausesOf, sentenceOf, type Profile } from '../../src/client-testing/profiles/profile.js'
import { clauseName } from '../../src/client-testing/reports/report.js'
import { markdownTable, writePage } from '../markdown.mjs'

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const clausesLine = (one: Parameters<typeof clausesOf>[0]): string[] => {
  const links = clausesOf(one).map((clause) => `[${clauseName(clause)}](${clause.url})`)
  return links.length === 0 ? [] : [`- Clause: ${links.join(', ')}`]
}

/** Robustness has no clause: no text demands it, and clients that lack it break in the field. */
const section = (profile: Profile): string[] => [
  `### ${profile.id}`,
  `${sentenceOf(profile)}. (${profile.kind === 'legal' ? 'Legal: clients cope with it.' : 'Illegal: clients refuse it and stay alive.'})`,
  [
    `- A client has to ${profile.expects}. ${profile.level === 'robustness' ? 'Robustness: no text demands it.' : `${profile.level}.`}`,
    `- Judged by: ${profile.judgedBy}.`,
    ...clausesLine(profile)
  ].join('\n')
]

const families = [...new Set(PROFILES.map(({ family }) => family))]

await writePage('profiles.md', 'npm run fresh', [
  '# Profiles of misbehaviour',
  `The ${PROFILES.length} ways in which \`grade --profile NAME\` lets a server or a network misbehave. Each names the clause that is at stake, what a client has to do, and what it is judged by.`,
  'A profile is judged from outside: by what the client sends, and by how its process ends. Where nothing shows whether a client used an illegal reply, it gets the benefit of the doubt.',
  ...families.flatMap((family) => [`## ${sentence(family)}`, ...PROFILES.filter((profile) => profile.family === family).flatMap(section)]),
  '## Authorization',
  'Profiles of `grade --authorization`: the client gets no token, and an authorization server stands in front of the correct server. It answers an authorization request at once, by the redirect to the client with a code.',
  ...AUTHORIZATION_PROFILES.flatMap(section),
  '## Authorization, on the correct server',
  'Without a profile, `grade --authorization` judges each request to the authorization server by these rules.',
  ...AUTHORIZATION_RULES.flatMap(({ id, level, sentence: text, ...rule }) => [`### ${id}`, `${text} ${level}.`, ...clausesLine(rule)]),
  '## Exit codes',
  'Of `grade`, `record` and `replay`:',
  markdownTable(['code', 'meaning'], Object.values(EXIT_CODES).map(({ code, meaning }) => [code, meaning]))
])
