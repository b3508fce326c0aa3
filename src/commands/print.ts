/** What commands print: aligned tables and sentences for people, one JSON value for programs. */
import type { Writable } from 'node:stream'
import { escapeInvisible } from '../lib/invisible.js'

export interface Output { stdout: Writable, json: boolean }

export type Columns<Row> = ReadonlyArray<readonly [title: string, value: (row: Row) => string | number | null | undefined]>

/**
 * Texts come from records: what would steer a terminal, turn the direction of writing or be unseen is shown as an
 * escape.
 */
export const stripControlChars = escapeInvisible

/** The same for a text that may have lines and tabs. */
export const stripControlCharsKeepLines = (text: string): string =>
  text.split(/([\n\t])/).map((part, index) => index % 2 === 1 ? part : stripControlChars(part)).join('')

/** JSON in which no character steers a terminal either. */
export const asJson = (value: unknown): string => stripControlChars(JSON.stringify(value))

export function table<Row> (rows: readonly Row[], columns: Columns<Row>): string {
  const cells = [
    columns.map(([title]) => title),
    ...rows.map((row) => columns.map(([, value]) => stripControlChars(`${value(row) ?? '–'}`)))
  ]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => [...line[index] ?? ''].length)))
  return cells.map((line) => line.map((cell, index) => cell + ' '.repeat(widths[index]! - [...cell].length)).join('  ')
    .trimEnd())
    .join('\n')
}

export function print ({ stdout, json }: Output, value: unknown, text: string): void {
  stdout.write(`${json ? asJson(value) : text}\n`)
}

export function printList<Row> (output: Output, rows: readonly Row[], columns: Columns<Row>, none: string): void {
  print(output, rows, rows.length ? table(rows, columns) : none)
}
