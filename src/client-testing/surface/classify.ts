/** What a change means for clients: whether it can break their calls, changes what happens, or is only text. */
import { isObject } from '../../lib/json/json-object.js'

export type ChangeClass = 'breaking' | 'behaviour' | 'text' | 'suspicious'

type Widening = 'wider' | 'narrower'

const TEXTS = new Set(['description', 'title', 'instructions', 'examples', '$comment', 'name', 'version', 'websiteUrl'])
const NAMED_SCHEMAS = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'])
const HINTS = new Set(['default', 'deprecated', 'readOnly', 'writeOnly', '$schema', '$id', 'x-mcp-header'])
const LOWER_BOUND = /^(?:min[A-Z]\w*|minimum|exclusiveMinimum)$/
const UPPER_BOUND = /^(?:max[A-Z]\w*|maximum|exclusiveMaximum)$/

/** Returns the class of a change at a path of a surface. An absent value is undefined. */
export const classify = (path: readonly string[], before: unknown, after: unknown): ChangeClass => {
  const [kind = '', part = '', field, ...inside] = path
  const ofWhole = after === undefined ? 'breaking' : 'behaviour'
  if (kind === 'server') return part === 'capabilities' || part === 'supportedVersions' ? ofWhole : 'text'
  if (field === undefined) return ofWhole
  if (kind === 'tools' && (field === 'inputSchema' || field === 'outputSchema')) {
    return classifySchema(inside, before, after, field === 'inputSchema' ? 'narrower' : 'wider')
  }
  if (kind === 'prompts' && field === 'arguments') return classifyArgument(inside, before, after)
  if (field === 'annotations') return inside[0] === 'title' ? 'text' : 'behaviour'
  return TEXTS.has(field) ? 'text' : 'behaviour'
}

const classifyArgument = ([, field]: readonly string[], before: unknown, after: unknown): ChangeClass => {
  if (field !== undefined) return field === 'required' ? (after === true ? 'breaking' : 'behaviour') : 'text'
  return before !== undefined || (isObject(after) && after['required'] === true) ? 'breaking' : 'behaviour'
}

const classifySchema = (
  path: readonly string[], before: unknown, after: unknown, breaks: Widening
): ChangeClass => {
  const last = path.at(-1) ?? ''
  const container = containerOf(path)
  if (container !== undefined) return after === undefined && container === 'properties' ? 'breaking' : 'behaviour'
  if (TEXTS.has(last)) return 'text'
  if (HINTS.has(last) || NAMED_SCHEMAS.has(last)) return 'behaviour'
  const widening = wideningOf(last, before, after)
  // What cannot be compared may be narrower and wider at once.
  return widening === undefined || widening === breaks ? 'breaking' : 'behaviour'
}

/** The keyword whose member the last name of a path is; undefined when that is a keyword itself. */
const containerOf = (path: readonly string[]): string | undefined => {
  let container: string | undefined
  let ofLast: string | undefined
  for (const name of path) {
    ofLast = container
    container = container === undefined && NAMED_SCHEMAS.has(name) ? name : undefined
  }
  return ofLast
}

/** Whether a keyword of JSON Schema accepts more values than before, or fewer; undefined when both, or not known. */
const wideningOf = (keyword: string, before: unknown, after: unknown): Widening | undefined => {
  const isAdded = before === undefined
  switch (keyword) {
    case 'required': return compareSets(before ?? [], after ?? [], 'narrower')
    case 'type':
      if (isAdded) return 'narrower'
      return after === undefined ? 'wider' : compareSets(withIntegers(before), withIntegers(after), 'wider')
    case 'enum':
    case 'anyOf': return isAdded ? 'narrower' : after === undefined ? 'wider' : compareSets(before, after, 'wider')
    case 'allOf': return compareSets(before ?? [], after ?? [], 'narrower')
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const isOpen = (value: unknown) => value === undefined || value === true
      return isOpen(after) || before === false ? 'wider' : isOpen(before) || after === false ? 'narrower' : undefined
    }
  }
  if (isAdded) return 'narrower'
  if (after === undefined) return 'wider'
  if (typeof before !== 'number' || typeof after !== 'number') return undefined
  if (LOWER_BOUND.test(keyword)) return after > before ? 'narrower' : 'wider'
  return UPPER_BOUND.test(keyword) ? (after < before ? 'narrower' : 'wider') : undefined
}

/** `more` is what a set with more elements means. */
const compareSets = (before: unknown, after: unknown, more: Widening): Widening | undefined => {
  const [one, other] = [before, after].map((value) => new Set([value].flat().map((item) => JSON.stringify(item))))
  if (!one || !other) return undefined
  const isContained = (small: ReadonlySet<string>, large: ReadonlySet<string>) =>
    [...small].every((item) => large.has(item))
  if (isContained(one, other)) return more
  return isContained(other, one) ? (more === 'wider' ? 'narrower' : 'wider') : undefined
}

const withIntegers = (value: unknown): unknown[] =>
  [value].flat().flatMap((type) => type === 'number' ? ['number', 'integer'] : [type])
