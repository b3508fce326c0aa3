/** Checks values against JSON Schemas (2020-12) and reports errors as plain sentences. Only this module uses Ajv. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject, Options } from 'ajv/dist/2020.js'
import { pluralize } from '../text/text.js'

export type Validation<T> = { ok: true, value: T } | { ok: false, faults: string[] }

const options: Options = {
  useDefaults: true,
  keywords: ['x-mcp-header', '$anchor'],
  allowUnionTypes: true,
  strictTypes: false,
  // An annotation, as the dialect has it by default.
  validateFormats: false,
  strictRequired: false
}
/**
 * What a check does: reports the first fault; reports every fault, which costs memory in proportion to the input, so
 * for the operator's input only; removes the fields that the schema does not name; or fills in no defaults.
 */
const KINDS = {
  first: {}, every: { allErrors: true }, pruning: { removeAdditional: true }, unchanged: { useDefaults: false }
} satisfies Record<string, Options>
type Kind = keyof typeof KINDS

const compilers = new Map<string, Ajv2020>()

/** Own schemas are not compared with the schema of schemas: to compile that takes 40 ms. */
const compilerOf = (kind: Kind, isOwn: boolean): Ajv2020 => {
  const name = `${kind} ${isOwn}`
  const compiler = compilers.get(name) ?? new Ajv2020({ ...options, ...KINDS[kind], validateSchema: !isOwn })
  compilers.set(name, compiler)
  return compiler
}

const compileCheck = <T>(schema: object, kind: Kind, isOwn: boolean): (value: unknown) => Validation<T> => {
  requireDialect(schema)
  const compiler = compilerOf(kind, isOwn)
  const check = compiler.compile<T>(schema)
  // The compiler keeps every schema otherwise, also those of tools that are gone.
  compiler.removeSchema(schema)
  return (value) => check(value)
    ? { ok: true, value }
    : { ok: false, faults: [...new Set(check.errors?.map(sentence) ?? [])] }
}

/**
 * Compiles a schema into a check. The check changes the value that it is given: it fills in the schema's defaults.
 * @returns a check that gives the typed value, or one sentence for each fault; it does not throw
 * @throws {Error} when the schema itself is invalid or names another dialect than 2020-12
 */
export const validator = <T>(schema: object, kind: Kind = 'first'): ((value: unknown) => Validation<T>) =>
  compileCheck<T>(schema, kind, false)

/** Compiled at its first use: that takes a millisecond, and a start has some two hundred schemas of this program. */
export const lazyValidator = <T>(schema: object, kind: Kind = 'first'): ((value: unknown) => Validation<T>) => {
  let check: ((value: unknown) => Validation<T>) | undefined
  return (value) => {
    check ??= compileCheck<T>(schema, kind, true)
    return check(value)
  }
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

const requireDialect = (schema: object): void => {
  const dialect = '$schema' in schema ? schema.$schema : DIALECT
  if (dialect !== DIALECT && dialect !== `${DIALECT}#`) {
    throw new Error(`The JSON Schema dialect ${String(dialect)} is not supported: use 2020-12 (${DIALECT}).`)
  }
}

/** Turns a JSON pointer into a path: `/questions/0/status` → `questions[0].status`. */
function field (path: string): string {
  const names = path.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.map((name) => /^\d+$/.test(name) ? `[${name}]` : `.${name}`).join('').replace(/^\./, '') || 'the value'
}

const inside = (path: string, name: string): string => field(`${path}/${name}`)

function sentence ({ instancePath, keyword, params, message }: ErrorObject): string {
  const name = field(instancePath)
  switch (keyword) {
    case 'required': return `${inside(instancePath, params.missingProperty)} is required`
    case 'additionalProperties': return `${inside(instancePath, clip(params.additionalProperty))} is not a known field`
    case 'type': return `${name} must be ${[params.type].flat().map(article).join(' or ')}`
    case 'enum': return `${name} must be one of ${params.allowedValues.map(quote).join(', ')}`
    case 'const': return `${name} must be ${quote(params.allowedValue)}`
    case 'minLength': return `${name} must have at least ${pluralize(params.limit, 'character')}`
    case 'maxLength': return `${name} must have at most ${pluralize(params.limit, 'character')}`
    case 'minItems': return `${name} must have at least ${pluralize(params.limit, 'item')}`
    case 'maxItems': return `${name} must have at most ${pluralize(params.limit, 'item')}`
    case 'minimum': return `${name} must be at least ${params.limit}`
    case 'maximum': return `${name} must be at most ${params.limit}`
    case 'uniqueItems': return `${name} must not hold the same item twice`
    case 'pattern': return `${name} must ${PATTERNS[params.pattern] ?? `match the pattern ${params.pattern}`}`
    default: return `${name} ${message ?? `breaks the rule "${keyword}"`}`
  }
}

const PATTERNS: Readonly<Record<string, string>> = {
  '^[^\\s@]+@[^\\s@]+$': 'be an e-mail address, such as ada@example.com',
  '\\S': 'not be blank'
}
const quote = (value: unknown): string => JSON.stringify(value)
const article = (type: string): string => type === 'null' ? 'null' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
const clip = (name: string): string => name.length > 64 ? `${name.slice(0, 64)}…` : name
