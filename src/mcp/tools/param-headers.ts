/**
 * Finds the arguments of a tool that clients mirror into `Mcp-Param-*` headers: 2026-07-28
 * server/tools#x-mcp-header.
 */
import { isObject } from '../../lib/json-object.js'

export interface ParamHeader {
  /** The full name of the header, such as `Mcp-Param-Region`. */
  header: string
  path: readonly string[]
}

/** Returns the annotated properties of an input schema, at any depth of `properties`. */
export const paramHeaders = (schema: unknown, path: readonly string[] = []): ParamHeader[] => {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}
  return Object.entries(properties).flatMap(([key, property]) => {
    if (!isObject(property)) return []
    const here = [...path, key]
    const name = property['x-mcp-header']
    return typeof name === 'string' ? [{ header: `Mcp-Param-${name}`, path: here }] : paramHeaders(property, here)
  })
}
