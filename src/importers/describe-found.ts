/** Says in sentences what an import found, or that it found nothing, and which plans it saw but does not read. */
import { pluralize } from '../lib/text/text.js'
import type { FoundUnits } from './find-units.js'
import { IMPORTERS } from './registry.js'
import type { ImportReport } from './report.js'

/** The lines: what was found by format, or the formats that are read; then the plans of other tools. Not escaped. */
export const describeFound = (
  found: Pick<FoundUnits, 'isFile' | 'others'>, report: Pick<ImportReport, 'outcomes'>
): string[] => {
  const { outcomes } = report
  const others = notRead(found, report).map(({ path, tool }) => `${path} (${tool})`).join(', ')
  return [
    ...(outcomes.length === 0 ? nothingFound : [countByFormat(outcomes, found.isFile ? 'file' : 'repository')]),
    ...(others === '' ? [] : [`Seen, but not read: ${others}`])
  ]
}

export const notRead = (
  { others }: Pick<FoundUnits, 'others'>, { outcomes }: Pick<ImportReport, 'outcomes'>
): FoundUnits['others'] => others.filter(({ path }) => !outcomes.some((outcome) => outcome.path.startsWith(path)))

const WIDTH = Math.max(...IMPORTERS.map(({ id }) => id.length))

const nothingFound = [
  'No plans were found here. These formats are read:',
  ...IMPORTERS.map(({ id, about }) => `  ${id.padEnd(WIDTH)}  ${about}`)
]

/** `3 explorations from this repository: 2 spec-kit, 1 decisions` */
const countByFormat = (outcomes: ImportReport['outcomes'], from: string): string => {
  const counts = new Map<string, number>()
  for (const { format } of outcomes) counts.set(format, (counts.get(format) ?? 0) + 1)
  const parts = [...counts].map(([format, count]) => `${count} ${format === 'adr' ? 'decisions' : format}`)
  return `${pluralize(outcomes.length, 'exploration')} from this ${from}: ${parts.join(', ')}`
}
