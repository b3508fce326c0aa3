/** The headers that mirror arguments of a tool: 2026-07-28 server/tools#x-mcp-header. */
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import { encodeHeaderValue } from '../eras/modern/header-value.js'
import { paramHeaders } from '../tools/param-headers.js'

/** Returns a header for each annotated property of the input schema that the arguments have. */
export const mirroredArguments = (inputSchema: unknown, args: JsonObject): Record<string, string> =>
  Object.fromEntries(paramHeaders(inputSchema).flatMap(({ header, path }) => {
    const value = path.reduce<unknown>((at, key) => isObject(at) ? at[key] : undefined, args)
    return value === undefined || value === null ? [] : [[header, encodeHeaderValue(String(value))]]
  }))
