/** Parses the CSV of a tracker into rows with line numbers. Columns may repeat; formulas are kept as text. */
import { parse } from 'csv-parse/sync'
import { messageOf } from '../../lib/error-code.js'
import type { ConvertContext, SourceText } from '../types.js'

export interface CsvRow {
  line: number
  /** The first non-empty cell in the columns with one of these names; '' when there is none. */
  get(...names: string[]): string
  /** All non-empty cells in the columns with these names. */
  all(...names: string[]): string[]
}

export interface CsvTable {
  header: string[]
  rows: CsvRow[]
}

export const CSV = /\.(?:csv|tsv)$/i
/** A record of an import may have 16 MiB. */
const MAX_ROW_CHARACTERS = 1_000_000
const OPTIONS = { bom: true, relax_column_count: true, relax_quotes: true } as const

/** Parses the table. Malformed rows are reported by line. `columns` maps a standard name to the file's. */
export const readTable = (
  { text, path }: SourceText,
  { report, columns }: Pick<ConvertContext, 'report' | 'columns'>
): CsvTable => {
  const records: Array<{ record: string[]; lines: number }> = []
  try {
    parse(text, {
      ...OPTIONS,
      delimiter: delimiterOf(text),
      skip_empty_lines: true,
      skip_records_with_error: true,
      on_record: (record: string[], { lines }) => {
        records.push({ record, lines })
        return null
      },
      on_skip: (error) => {
        const line = typeof error?.['lines'] === 'number' ? error['lines'] : undefined
        if (error) report.problem(path, `a row was left out: ${error.message}`, line)
        return undefined
      }
    })
  } catch (error) {
    report.problem(path, `the rest was left out, as it is no CSV: ${messageOf(error)}`)
  }
  const header = (records[0]?.record ?? []).map((name) => name.trim())
  const places = new Map<string, number[]>()
  for (const [index, name] of header.entries()) {
    const key = name.toLowerCase()
    places.set(key, [...(places.get(key) ?? []), index])
  }
  const placesOf = (name: string): number[] =>
    places.get((columns.get(name.toLowerCase()) ?? name).toLowerCase()) ?? []
  let previous = records[0]?.lines ?? 1
  return {
    header,
    rows: records.slice(1).flatMap(({ record, lines }) => {
      const line = previous + 1
      previous = lines
      if (record.reduce((sum, cell) => sum + cell.length, 0) > MAX_ROW_CHARACTERS) {
        report.problem(path, `a row was left out: it has more than ${MAX_ROW_CHARACTERS} characters`, line)
        return []
      }
      const all = (...names: string[]): string[] =>
        names.flatMap((name) => placesOf(name).map((index) => unescaped(record[index] ?? ''))).filter(Boolean)
      return { line, all, get: (...names) => all(...names)[0] ?? '' }
    })
  }
}

/** The column names, from the beginning of a file. */
export const headerOf = (head: string): string[] => {
  try {
    const [first] = parse(head, { ...OPTIONS, delimiter: delimiterOf(head), to: 1 })
    return (first ?? []).map((name) => name.trim().toLowerCase())
  } catch {
    return []
  }
}

const delimiterOf = (text: string): string => {
  const line = text.slice(0, text.search(/\r|\n|$/))
  const count = (mark: string): number => line.split(mark).length
  return [',', ';', '\t'].sort((a, b) => count(b) - count(a))[0] ?? ','
}

/** Trackers put `'` before a cell that a spreadsheet would execute. */
const unescaped = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@])/, '')
