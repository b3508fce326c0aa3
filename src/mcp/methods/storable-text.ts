/** Texts of parameters that reach the database: U+0000 and halves of surrogate pairs are in no stored text. */
import { Fault } from '../../lib/errors.js'
import { isObject } from '../jsonrpc/parse.js'

const UNSTORABLE = /[\0\p{Surrogate}]/u

/** Whether a JSON value of at most 64 levels has such a character, in a string or in a key. */
const isUnstorable = (value: unknown): boolean => {
  if (typeof value === 'string') return UNSTORABLE.test(value)
  if (Array.isArray(value)) return value.some(isUnstorable)
  return isObject(value) && Object.entries(value).some(([key, part]) => UNSTORABLE.test(key) || isUnstorable(part))
}

/** @throws the fault `invalid_params`, naming the parameter */
export const requireStorable = (name: string, value: unknown): void => {
  if (isUnstorable(value)) throw new Fault('invalid_params', `"params.${name}" has U+0000 or half of a surrogate pair. Leave it out.`)
}
