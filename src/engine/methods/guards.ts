/** Guards that methods share: of texts that reach the database, and of what prompts, resources and lists refuse. */
import { Fault, requireParams, requireRefusal } from '../../lib/errors.js'
import { isObject } from '../../lib/json/json-object.js'

const UNSTORABLE = /[\0\p{Surrogate}]/u

/** Whether a JSON value has such a character in a string or a key. Recursive: the parser allows at most 64 levels. */
const isUnstorable = (value: unknown): boolean => {
  if (typeof value === 'string') return UNSTORABLE.test(value)
  if (Array.isArray(value)) return value.some(isUnstorable)
  return isObject(value) && Object.entries(value).some(([key, part]) => UNSTORABLE.test(key) || isUnstorable(part))
}

/** @throws {Fault} `invalid_params` for such a character in `params.<name>` */
export const requireStorable = (name: string, value: unknown): void => {
  requireParams(!isUnstorable(value), `"params.${name}" has U+0000 or half of a surrogate pair. Leave it out.`)
}

/** Throws the `Fault` `invalid_params` for a `Refusal`, and any other error as it is. For `catch` of a promise. */
export const rejectRefusal = (error: unknown): never => {
  throw new Fault('invalid_params', requireRefusal(error).message)
}
