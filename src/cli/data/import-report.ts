/** The report of an import: what became which record, and what was left out, by file and line. */
import { pluralize } from '../../lib/text/text.js'
import { describeFound } from '../../importers/describe-found.js'
import type { ImportReport, ImportOutcome, Remark } from '../../importers/report.js'
import type { Conversion } from '../../importers/plan-import.js'
import { brief, stripControlChars } from '../print/print.js'
import { table } from '../print/table.js'

const MAX_REASONS = 20
const MAX_ALIKE = 3

/** The report as text. `verbose` lists every remark, and why each exploration was read so, not only the faulty. */
export const reportText = ({ found, report }: Conversion, place: string, verbose = false): string => {
  const { outcomes, problems } = report
  const faulty = new Set(problems.map(({ path }) => path))
  const reasons = found.units.filter(({ path, files }) => verbose || [path, ...files].some((one) => faulty.has(one)))
  const shown = new Set(reasons.map(({ path }) => path))
  return [
    `${stripControlChars(place)}: ${describeFound(found, report).map(stripControlChars).join('\n')}`,
    ...section('Problems', [...remarkLines(problems, verbose), ...omittedLine(report)]),
    ...(outcomes.length === 0 ? [] : ['', explorationTable(outcomes)]),
    ...section(
      'Left out, or read in a certain way', remarkLines(report.remarks.filter(({ level }) => level === 'note'), verbose)
    ),
    ...section(
      'What became which package',
      outcomes.filter(({ path }) => shown.has(path.replace(/#.*$/, ''))).flatMap(packageLines)
    ),
    ...section(
      'Why',
      reasons
        .slice(0, MAX_REASONS)
        .map(({ format, reason }) => `${format}: ${stripControlChars(reason)}`)
        .concat(reasons.length > MAX_REASONS ? [`and ${reasons.length - MAX_REASONS} more`] : [])
    )
  ].join('\n')
}

const explorationTable = (outcomes: readonly ImportOutcome[]): string =>
  table(outcomes, [
    ['FORMAT', ({ format }) => format],
    ['PATH', ({ path }) => path],
    ['TITLE', ({ title }) => brief(title)],
    ['STATUS', ({ status }) => status],
    ...COUNTS.filter(([, count]) => outcomes.some((outcome) => count(outcome) > 0))
  ])

const COUNTS: ReadonlyArray<[string, (outcome: ImportOutcome) => number]> = [
  ['GROUPS', ({ groups }) => groups],
  ['ITEMS', ({ items }) => items],
  ['DONE', ({ done }) => done],
  ['DEPENDENCIES', ({ dependencies }) => dependencies],
  ['GATES', ({ gates }) => gates],
  ['OPEN', ({ open_questions: open }) => open],
  ['ANSWERED', ({ answered_questions: answered }) => answered],
  ['DECISIONS', ({ decisions }) => decisions]
]

/** One line per remark. Unless `verbose`, of those that differ only in ids, numbers and names the first few. */
const remarkLines = (remarks: readonly Remark[], verbose: boolean): string[] => {
  if (verbose) return remarks.map(remarkText)
  const alike = new Map<string, Remark[]>()
  for (const remark of remarks) {
    const shape = remark.message.replaceAll(/"(?:[^"\\]|\\.)*"|[\w.~-]*\d[\w.~-]*/g, '#')
    alike.set(shape, [...(alike.get(shape) ?? []), remark])
  }
  return [...alike.values()].flatMap((same) => [
    ...same.slice(0, MAX_ALIKE).map(remarkText),
    ...(same.length > MAX_ALIKE ? [`and ${same.length - MAX_ALIKE} more like these: --verbose lists them`] : [])
  ])
}

export const problemLines = (report: ImportReport): string[] => [
  ...report.problems.map(remarkText), ...omittedLine(report)
]

const omittedLine = ({ omitted }: ImportReport): string[] => omitted > 0 ? [`and ${omitted} more`] : []

const packageLines = ({ path, packages }: ImportOutcome): string[] =>
  packages.map(({ artifact_type: type, paths }) =>
    `${stripControlChars(path)}: ${type} ← ${paths.map(stripControlChars).join(', ')}`)

const remarkText = ({ path, line, message }: Remark): string =>
  `${stripControlChars(path)}${line === undefined ? '' : `:${line}`}: ${stripControlChars(message)}`

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]

export const keptLine = (kept = 0): string => kept === 0
  ? ''
  : `\n${pluralize(kept, 'value')} changed here since the last import and kept: each imported one is a proposal ` +
    '("proposals list"). --replace takes what the file says.'
