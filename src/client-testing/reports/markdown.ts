/** The report as markdown: short enough for the summary of a CI job. */
import { escapeInvisible } from '../../lib/text/invisible.js'
import { clauseName, failuresFor, groupsOf, STATUSES, type Check, type Report } from './report.js'
import { totalOf } from './text.js'

const MAX_FAILURES = 50
/** GitHub takes at most 1 MiB for the summary of a step. */
const MAX_LENGTH = 500_000

export const toMarkdown = (report: Report): string => {
  const { command, subject, checks, summary, notes } = report
  const failures = checks.filter(({ status }) => status === 'failed')
  const lines = [
    `# MCP ${command}: ${failuresFor(report).length === 0 ? 'passed' : 'failed'}`,
    '',
    `${code(subject)}: ${totalOf(summary)}`,
    '',
    '| | passed | failed | not exercised |',
    '|---|---:|---:|---:|',
    ...groupsOf(checks).map(([group, own]) => `| ${escape(group)} | ${
      STATUSES.map((status) => own.filter((check) => check.status === status).length).join(' | ')} |`),
    '',
    ...(failures.length === 0 ? [] : ['## Failures', '', ...failures.slice(0, MAX_FAILURES).flatMap(failure)]),
    ...(failures.length > MAX_FAILURES
      ? [`${failures.length - MAX_FAILURES} more failures are in the other formats.`, '']
      : []),
    ...notes.map((note) => `- ${escape(note)}`)
  ]
  return `${lines.join('\n').trimEnd().slice(0, MAX_LENGTH)}\n`
}

const failure = ({ id, level, outcome, title, detail, clauses, reproduce, known }: Check): string[] => [
  `### ${escape(id)}`,
  '',
  `${level} · **${escape(outcome)}**${known ? ' · known failure' : ''}`,
  '',
  escape(title),
  '',
  ...paragraph(detail.split('\n').filter((line) => line.trim() !== '').map((line) => `> ${escape(line)}  `).join('\n')),
  ...paragraph(clauses.map((clause) => `[${clauseName(clause)}](${clause.url})`).join(' · ')),
  ...(reproduce === undefined ? [] : ['```sh', escapeInvisible(reproduce).replaceAll('```', "'''"), '```', ''])
]

const paragraph = (text: string): string[] => text === '' ? [] : [text, '']

// Texts come from clients: none of them makes markup, a link or an image of its own.
const escape = (text: string): string =>
  escapeInvisible(text.replaceAll(/[\r\n]+/g, ' '))
    .replaceAll(/[\\`*_{}[\]()#+!|<>~&@]/g, (character) => `&#${character.codePointAt(0)};`)
const code = (text: string): string => `\`${escapeInvisible(text.replaceAll(/[`\r\n]/g, ' '))}\``
