/** Schemas of libraries, by Standard Schema (`validate`) and Standard JSON Schema (`jsonSchema`). */
import { isObject } from '../../lib/json/json-object.js'
import type { Validation } from '../../lib/schema/validator.js'

/** A schema of a library that gives JSON Schema by Standard Schema, such as zod 4.2 and later. */
export interface LibrarySchema<In = unknown, Out = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: In, readonly output: Out } | undefined
    readonly validate: (value: unknown) => LibraryResult | Promise<LibraryResult>
    readonly jsonSchema: Readonly<Record<'input' | 'output', (options: { target: 'draft-2020-12' }) => object>>
  }
}

interface LibraryIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

type LibraryResult =
  | { readonly value: unknown, readonly issues?: undefined }
  | { readonly issues: readonly LibraryIssue[] }

/** Whether a schema is one of a library. Some are functions. */
export const isLibrarySchema = (schema: object): schema is LibrarySchema => '~standard' in schema

/**
 * Returns the JSON Schema 2020-12 of what goes into the schema, or of what comes out of it.
 * @throws {Error} when the library gives none, or cannot express the schema
 */
export const jsonSchemaOf = (schema: LibrarySchema, side: 'input' | 'output'): object => {
  const { jsonSchema, vendor } = schema['~standard']
  // A library may have Standard Schema alone, whatever the type says.
  if (!isObject(jsonSchema)) {
    throw new Error(`This schema of ${vendor} gives no JSON Schema. Use zod 4.2 or later, ArkType 2.2 or later, or ` +
      'toStandardJsonSchema of @valibot/to-json-schema.')
  }
  const { $schema, ...rest } = jsonSchema[side]({ target: 'draft-2020-12' }) as Record<string, unknown>
  return rest
}

/** Returns a check by the library itself. Its value is what comes out of the schema, defaults and changes included. */
export const libraryCheck = (schema: LibrarySchema) => (
  value: unknown
): Validation<unknown> | Promise<Validation<unknown>> => {
  const checked = schema['~standard'].validate(value)
  return checked instanceof Promise ? checked.then(toValidation) : toValidation(checked)
}

const toValidation = (checked: LibraryResult): Validation<unknown> => checked.issues
  ? { ok: false, faults: checked.issues.map(sentence) }
  : { ok: true, value: checked.value }

/** A library may begin its message with the place. */
const sentence = ({ message, path = [] }: LibraryIssue): string => {
  const place = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
  return place === '' || message.startsWith(place) ? message : `${place}: ${message}`
}
