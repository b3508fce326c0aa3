/** The report of an import: what became which record, and what was left out, by file and line. */
import { pluralize } from '../../lib/text/text.js'
import { describeFound } from '../../importers/describe-found.js'
import type { ImportReport, ImportOutcome, Remark } from '../../importers/report.js'
import type { Conversion } from '../../importers/plan-import.js'
import { stripControlChars, table } from '../print/print.js'

const MAX_REASONS = 20

/** The report as text: a table of the explorations, then the sections that are not empty. */
export const reportText = ({ found, report }: Conversion, place: string): string => {
  const { outcomes } = report
  return [
    `${stripControlChars(place)}: ${describeFound(found, report).map(stripControlChars).join('\n')}`,
    ...(outcomes.length === 0
      ? []
      : [
          table(outcomes, [
            ['FORMAT', ({ format }) => format],
            ['PATH', ({ path }) => path],
            ['TITLE', ({ title }) => (title.length > 60 ? `${[...title].slice(0, 59).join('')}…` : title)],
            ['STATUS', ({ status }) => status],
            ['GROUPS', ({ groups }) => groups],
            ['ITEMS', ({ items }) => items],
            ['DONE', ({ done }) => done],
            ['DEPENDENCIES', ({ dependencies }) => dependencies],
            ['GATES', ({ gates }) => gates],
            ['OPEN', ({ open_questions: open }) => open],
            ['ANSWERED', ({ answered_questions: answered }) => answered],
            ['DECISIONS', ({ decisions }) => decisions]
          ])
        ]),
    ...section('What became which package', outcomes.flatMap(packageLines)),
    ...section(
      'Why',
      found.units
        .slice(0, MAX_REASONS)
        .map(({ format, reason }) => `${format}: ${stripControlChars(reason)}`)
        .concat(found.units.length > MAX_REASONS ? [`and ${found.units.length - MAX_REASONS} more`] : [])
    ),
    ...section(
      'Left out, or read in a certain way',
      report.remarks.filter(({ level }) => level === 'note').map(remarkText)
    ),
    ...section('Problems', problemLines(report))
  ].join('\n')
}

/** One line per problem, `path:line: message`, and the number of those left out. */
export const problemLines = (report: ImportReport): string[] => [
  ...report.problems.map(remarkText),
  ...(report.omitted > 0 ? [`and ${report.omitted} more`] : [])
]

const packageLines = ({ path, packages }: ImportOutcome): string[] =>
  packages.map(({ artifact_type: type, paths }) =>
    `${stripControlChars(path)}: ${type} ← ${paths.map(stripControlChars).join(', ')}`)

const remarkText = ({ path, line, message }: Remark): string =>
  `${stripControlChars(path)}${line === undefined ? '' : `:${line}`}: ${stripControlChars(message)}`

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]

/** What an import did not overwrite. */
export const keptText = (kept: number): string =>
  `${pluralize(kept, 'value')} changed here since the last import and kept: each imported one is a proposal ` +
  '("proposals list"). --replace takes what the file says.'
