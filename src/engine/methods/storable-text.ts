/** Guards parameters that reach the database, which can store neither U+0000 nor half of a surrogate pair. */
import { Fault } from '../../lib/errors.js'
import { isObject } from '../../lib/json/json-object.js'

const UNSTORABLE = /[\0\p{Surrogate}]/u

/** Whether a JSON value has such a character in a string or a key. Recursive: the parser allows at most 64 levels. */
const isUnstorable = (value: unknown): boolean => {
  if (typeof value === 'string') return UNSTORABLE.test(value)
  if (Array.isArray(value)) return value.some(isUnstorable)
  return isObject(value) && Object.entries(value).some(([key, part]) => UNSTORABLE.test(key) || isUnstorable(part))
}

/**
 * Checks the value of `params.<name>`.
 * @throws {Fault} `invalid_params`, naming the parameter
 */
export const requireStorable = (name: string, value: unknown): void => {
  if (!isUnstorable(value)) return
  throw new Fault('invalid_params', `"params.${name}" has U+0000 or half of a surrogate pair. Leave it out.`)
}
