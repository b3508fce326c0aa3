/** Prints the output of commands: tables and sentences for people, one JSON value for programs. */
import type { Writable } from 'node:stream'
import { escapeInvisible, escapeInvisibleInLines } from '../../lib/text/invisible.js'
import stringWidth from 'string-width'

const MAX_SHOWN = 60

export interface Output { stdout: Writable, json: boolean }

export type Columns<Row> = ReadonlyArray<
  readonly [title: string, value: (row: Row) => string | number | null | undefined]
>

/** Escapes control, direction and invisible characters. Texts come from records and must not control the terminal. */
export const stripControlChars = escapeInvisible

export const stripControlCharsKeepLines = escapeInvisibleInLines

export const asJson = (value: unknown): string => stripControlChars(JSON.stringify(value))

/** The beginning of a text that is long, for a cell: all of it is in the JSON. */
export const brief = (text: string): string =>
  text.length > MAX_SHOWN ? `${[...text].slice(0, MAX_SHOWN - 1).join('')}…` : text

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

/** Writes `value` as JSON, or `text` without --json. The caller escapes the text. */
export function print ({ stdout, json }: Output, value: unknown, text: string): void {
  stdout.write(`${json ? asJson(value) : text}\n`)
}

export function printList<Row> (output: Output, rows: readonly Row[], columns: Columns<Row>, none: string): void {
  print(output, rows, rows.length ? table(rows, columns) : none)
}
