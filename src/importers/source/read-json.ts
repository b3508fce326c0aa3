/** Reads JSON files of the source. Malformed ones are reported with their line. */
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser'
import type { ConvertContext } from '../types.js'

const MAX_DEPTH = 200

/** The parsed file; undefined, and reported, when it cannot be read as JSON. */
export const readJson = async (path: string, context: ConvertContext): Promise<unknown> => {
  const source = await context.read(path)
  return source && parseJson(source.text, path, context)
}

/** Parses the text; undefined, and reported, when it is malformed or nested too deeply. */
const parseJson = (text: string, path: string, { report }: Pick<ConvertContext, 'report'>): unknown => {
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
