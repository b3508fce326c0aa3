/** Tables of commands. What serves loads none: the package that measures texts holds 5 MB. */
import stringWidth from 'string-width'
import { print, stripControlChars, type Output } from './print.js'

export type Columns<Row> = ReadonlyArray<
  readonly [title: string, value: (row: Row) => string | number | null | undefined]
>

/** A table with aligned columns and a head row; an absent value is `–`. Cells are escaped. */
export function table<Row> (rows: readonly Row[], columns: Columns<Row>): string {
  const cells = [
    columns.map(([title]) => title),
    ...rows.map((row) => columns.map(([, value]) => stripControlChars(`${value(row) ?? '–'}`)))
  ]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => stringWidth(line[index] ?? ''))))
  const line = (row: readonly string[]): string =>
    row.map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - stringWidth(cell))).join('  ').trimEnd()
  return cells.map(line).join('\n')
}

export function printList<Row> (output: Output, rows: readonly Row[], columns: Columns<Row>, none: string): void {
  print(output, rows, rows.length ? table(rows, columns) : none)
}
