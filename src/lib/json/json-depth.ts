/** Bounds how deep JSON from outside may be nested, so that recursive code cannot exhaust the stack. */

/** Levels of arrays and objects. MCP messages and records have fewer than 20. */
export const MAX_JSON_DEPTH = 64

export class JsonDepthError extends SyntaxError {
  /** The HTTP status that Fastify replies with. */
  readonly statusCode = 400

  constructor () {
    super(`The JSON is nested deeper than ${MAX_JSON_DEPTH} levels. Send a flatter value.`)
    this.name = 'JsonDepthError'
  }
}

/** Whether brackets outside strings are nested deeper. Scans the text once, without recursion. */
export const isDeeperThan = (text: string, maxDepth = MAX_JSON_DEPTH): boolean => {
  if (!hasMoreBracketsThan(text, maxDepth)) return false
  let depth = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    // What it escapes ends no string. Outside of strings JSON has none.
    if (letter === '\\') at++
    else if (letter === '"') isString = !isString
    else if (!isString && '[{'.includes(letter) && ++depth > maxDepth) return true
    else if (!isString && ']}'.includes(letter)) depth--
  }
  return false
}

/** Whether there are more opening brackets, in strings too. Most texts have few, which is found out much faster. */
const hasMoreBracketsThan = (text: string, max: number): boolean => {
  let count = 0
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++count > max) return true
    }
  }
  return false
}

/** @throws {JsonDepthError} when it is nested too deep, otherwise a `SyntaxError` when it is not JSON */
export const parseBoundedJson = (text: string): unknown => {
  if (isDeeperThan(text)) throw new JsonDepthError()
  return JSON.parse(text)
}

/** Parses a JSON text from outside. Returns undefined when it is not JSON, or nested too deep. Never throws. */
export const parseJsonOrUndefined = (text: string): unknown => {
  try {
    return parseBoundedJson(text)
  } catch {
    return undefined
  }
}
