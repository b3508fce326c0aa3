/** Reads JSON files of the source. Malformed ones are reported with their line. */
import { printParseErrorCode, visit } from 'jsonc-parser'
import { isDeeperThan, MAX_JSON_DEPTH } from '../../lib/json/json-depth.js'
import type { ConvertContext } from '../types.js'

export const readJson = async (path: string, context: ConvertContext): Promise<unknown> => {
  const source = await context.read(path)
  return source && parseJson(source.text, path, context)
}

/** Parses the text; undefined, and reported, when it is malformed or nested too deeply. */
export const parseJson = (text: string, path: string, { report }: Pick<ConvertContext, 'report'>): unknown => {
  if (isDeeperThan(text)) {
    report.problem(path, `left out: the JSON is nested deeper than ${MAX_JSON_DEPTH}`, 1)
    return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    // Look again to find the line of the fault.
    const faults: Array<{ code: string, line: number }> = []
    visit(text, {
      onError: (code, _offset, _length, line) => { faults.push({ code: printParseErrorCode(code), line: line + 1 }) }
    })
    const [first] = faults
    report.problem(path, `left out: the JSON is malformed${first ? ` (${first.code})` : ''}`, first?.line)
    return undefined
  }
}

const MAX_PLACE = { depth: 5, key: 200 }

/** The line of each object, or of its field of that name, by keys such as `tag/tasks/0`, no deeper than a subtask. */
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
