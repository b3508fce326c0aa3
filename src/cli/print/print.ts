/** Prints the output of commands: sentences for people, one JSON value for programs. */
import type { Writable } from 'node:stream'
import { escapeInvisible, escapeInvisibleInLines } from '../../lib/text/invisible.js'

const MAX_SHOWN = 60

export interface Output { stdout: Writable, json: boolean }

/** Escapes control, direction and invisible characters. Texts come from records and must not control the terminal. */
export const stripControlChars = escapeInvisible

export const stripControlCharsKeepLines = escapeInvisibleInLines

export const asJson = (value: unknown): string => stripControlChars(JSON.stringify(value))

/** The beginning of a text that is long, for a cell: all of it is in the JSON. */
export const brief = (text: string): string =>
  text.length > MAX_SHOWN ? `${[...text].slice(0, MAX_SHOWN - 1).join('')}…` : text

/** Writes `value` as JSON, or `text` without --json. The caller escapes the text. */
export function print ({ stdout, json }: Output, value: unknown, text: string): void {
  stdout.write(`${json ? asJson(value) : text}\n`)
}
