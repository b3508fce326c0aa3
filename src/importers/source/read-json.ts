/** Reads JSON files of the source. Malformed ones are reported with their line. */
import { parse, printParseErrorCode, visit, type ParseError } from 'jsonc-parser'
import type { ConvertContext } from '../types.js'

const MAX_DEPTH = 200

/** The parsed file; undefined, and reported, when it cannot be read as JSON. */
export const readJson = async (path: string, context: ConvertContext): Promise<unknown> => {
  const source = await context.read(path)
  return source && parseJson(source.text, path, context)
}

/** Parses the text; undefined, and reported, when it is malformed or nested too deeply. */
export const parseJson = (text: string, path: string, { report }: Pick<ConvertContext, 'report'>): unknown => {
  const depth = depthOf(text)
  if (depth.most > MAX_DEPTH) {
    report.problem(path, `left out: the JSON is nested deeper than ${MAX_DEPTH}`, lineAt(text, depth.at))
    return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    // Parse again to find the line of the fault.
    const errors: ParseError[] = []
    parse(text, errors)
    const [first] = errors
    report.problem(
      path,
      `left out: the JSON is malformed${first ? ` (${printParseErrorCode(first.error)})` : ''}`,
      first && lineAt(text, first.offset)
    )
    return undefined
  }
}

const MAX_PLACE = { depth: 5, key: 200 }

/**
 * The line of each object in a JSON text: of its field of that name, else of its beginning. The keys are such as
 * `tag/tasks/0`; objects deeper than a subtask are left out.
 */
export const objectLines = (text: string, field: string): Map<string, number> => {
  const lines = new Map<string, number>()
  const set = (path: Array<string | number>, line: number): void => {
    const isShort = path.length <= MAX_PLACE.depth && path.every((key) => String(key).length <= MAX_PLACE.key)
    if (isShort) lines.set(path.join('/'), line + 1)
  }
  visit(text, {
    onObjectBegin: (_offset, _length, line, _character, path) => { set(path(), line) },
    onObjectProperty: (name, _offset, _length, line, _character, path) => { if (name === field) set(path(), line) }
  })
  return lines
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

const depthOf = (text: string): { most: number; at: number } => {
  let depth = 0
  let most = 0
  let at = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (quoted) {
      if (code === 0x5c) index++
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > most) {
        most = depth
        at = index
        if (most > MAX_DEPTH) break
      }
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return { most, at }
}
