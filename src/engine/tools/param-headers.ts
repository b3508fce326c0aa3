/** Arguments that clients mirror into `Mcp-Param-*` headers: 2026-07-28 server/tools#x-mcp-header */
import { isObject } from '../../lib/json/json-object.js'

export const argumentAt = (args: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => isObject(at) ? at[key] : undefined, args)

export interface ParamHeader {
  /** The full name of the header, such as `Mcp-Param-Region`. */
  header: string
  path: readonly string[]
}

export const paramHeaders = (schema: unknown, path: readonly string[] = []): ParamHeader[] => {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}
  return Object.entries(properties).flatMap(([key, property]) => {
    if (!isObject(property)) return []
    const here = [...path, key]
    const name = property['x-mcp-header']
    return typeof name === 'string' ? [{ header: `Mcp-Param-${name}`, path: here }] : paramHeaders(property, here)
  })
}

const ANNOTATION = 'x-mcp-header'
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
const MIRRORED_TYPES = new Set<unknown>(['string', 'integer', 'boolean', 'null'])
/** Keywords whose values are data, not schemas. */
const DATA_KEYWORDS = new Set(['const', 'default', 'enum', 'examples'])
/** Keywords whose values map names to schemas. */
const MAP_KEYWORDS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'])

/** @throws {Error} for annotations that clients would not accept: they would leave the tool out of their list */
export const requireValidParamHeaders = (tool: string, schema: unknown): void => {
  const names = new Map<string, string>()
  visitAnnotated(schema, [], (annotated, path) => {
    const place = `The ${ANNOTATION} at "${path.join('.')}" of the tool "${tool}"`
    const name = annotated[ANNOTATION]
    if (typeof name !== 'string' || !TOKEN.test(name)) {
      throw new Error(`${place} is not a token of HTTP: use letters, digits and hyphens.`)
    }
    if (path.length === 0 || path.some((key, index) => index % 2 === 0 && key !== 'properties')) {
      throw new Error(`${place} is not reached by "properties" alone: move the parameter there, or leave it out.`)
    }
    if (![annotated['type']].flat().every((type) => MIRRORED_TYPES.has(type))) {
      throw new Error(`${place} is of another type than string, integer or boolean: leave it out.`)
    }
    const earlier = names.get(name.toLowerCase())
    if (earlier !== undefined) throw new Error(`${place} is there twice: "${earlier}" has it, too. Use another name.`)
    names.set(name.toLowerCase(), path.join('.'))
  })
}

/** Calls `visit` for each schema with an annotation, with its path of keywords and names. */
const visitAnnotated = (
  schema: unknown, path: readonly string[], visit: (annotated: Record<string, unknown>, path: readonly string[]) => void
): void => {
  if (Array.isArray(schema)) {
    for (const [index, item] of schema.entries()) visitAnnotated(item, [...path, String(index)], visit)
    return
  }
  if (!isObject(schema)) return
  if (ANNOTATION in schema) visit(schema, path)
  for (const [keyword, inner] of Object.entries(schema)) {
    if (DATA_KEYWORDS.has(keyword)) continue
    const inside = [...path, keyword]
    if (!MAP_KEYWORDS.has(keyword) || !isObject(inner)) visitAnnotated(inner, inside, visit)
    else for (const [name, named] of Object.entries(inner)) visitAnnotated(named, [...inside, name], visit)
  }
}
