/** Reads the YAML between `---` at the beginning of a document. */
import { parseDocument } from 'yaml'
import { messageOf } from '../../lib/error-code.js'
import { asObject, isObject, type JsonObject } from '../../lib/json/json-object.js'
import type { ImportReport } from '../report.js'

export interface FrontMatter {
  /** Empty when there is none. */
  data: JsonObject
  body: string
  /** The line number of the body's first line. */
  bodyLine: number
}

const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/

/** Splits the front matter off. Malformed YAML is reported, and its readable part is used. */
export const splitFrontMatter = (text: string, path: string, report: ImportReport): FrontMatter => {
  const match = FRONT_MATTER.exec(text)
  if (!match) return { data: {}, body: text, bodyLine: 1 }
  return {
    data: parseYaml(match[1] ?? '', path, report, 2),
    body: text.slice(match[0].length),
    bodyLine: match[0].split('\n').length
  }
}

/** The line of a field of the front matter, counted from 1; 1 when it has none. */
export const fieldLine = ({ text, bodyLine }: { text: string; bodyLine: number }, name: string): number =>
  text.split('\n').slice(0, bodyLine - 1).findIndex((line) => line.startsWith(`${name}:`)) + 1 || 1

/** Parses a YAML object; `{}` for another value. Dates stay text. `firstLine` is the text's line number in its file. */
export const parseYaml = (text: string, path: string, report: ImportReport, firstLine = 1): JsonObject => {
  const malformed = (message: string, line: number): void => {
    const reason = message.split('\n')[0]?.replace(/ at line \d+.*$/, '')
    report.problem(path, `the YAML is malformed: ${reason}`, firstLine - 1 + line)
  }
  try {
    // The core schema of JSON values: a date or `yes` stays text.
    const document = parseDocument(text, { schema: 'core', uniqueKeys: false, strict: false, logLevel: 'silent' })
    for (const { message, linePos } of document.errors.slice(0, 3)) malformed(message, linePos?.[0].line ?? 1)
    return asObject(document.toJS({ maxAliasCount: 100 }))
  } catch (error) {
    malformed(messageOf(error), 1)
    return {}
  }
}

/** The text of a YAML or JSON string or number; '' for another value. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''

/** The text of the first of these fields that has one; '' without. */
export const textIn = (fields: JsonObject, ...names: readonly string[]): string =>
  names.map((name) => textOf(fields[name])).find(Boolean) ?? ''

/** The texts of a YAML or JSON list, of a text with commas, or of one number. */
export const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : textOf(value).split(',')).map(textOf).filter(Boolean)

/** The objects of a list in a field. */
export const objectsIn = (fields: JsonObject, name: string): JsonObject[] => {
  const list = fields[name]
  return Array.isArray(list) ? list.filter(isObject) : []
}
