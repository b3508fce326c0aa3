/** Bounds how deep JSON from outside may be nested, so that recursive code cannot exhaust the stack. */

/** Levels of arrays and objects. MCP messages and records have fewer than 20. */
export const MAX_JSON_DEPTH = 64

/** The message for JSON that is nested too deep. */
const TOO_DEEP = `The JSON is nested deeper than ${MAX_JSON_DEPTH} levels. Send a flatter value.`

/** What `parseBoundedJson` throws for JSON that is too deep. */
export class JsonDepthError extends SyntaxError {
  /** The HTTP status that Fastify replies with. */
  readonly statusCode = 400

  constructor () {
    super(TOO_DEEP)
    this.name = 'JsonDepthError'
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const ARRAY_START = 0x5b
const ARRAY_END = 0x5d
const OBJECT_START = 0x7b
const OBJECT_END = 0x7d

/** Whether brackets outside strings are nested deeper. Scans the text once, without recursion. */
export const isDeeperThan = (text: string, maxDepth = MAX_JSON_DEPTH): boolean => {
  if (!hasMoreBracketsThan(text, maxDepth)) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      at = endOfString(text, at)
    } else if (unit === OBJECT_START || unit === ARRAY_START) {
      if (++depth > maxDepth) return true
    } else if (unit === OBJECT_END || unit === ARRAY_END) {
      depth--
    }
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

/** The index of the quote that closes the string which opens at `start`; the text's length when there is none. */
const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === BACKSLASH) at++
    else if (unit === QUOTE) return at
  }
  return text.length
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
