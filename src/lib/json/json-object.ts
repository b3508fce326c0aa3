/** JSON objects: values from outside whose fields no one has checked yet. */
import { parseJsonOrUndefined } from './json-depth.js'

/** An object whose fields no one has checked. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject & Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asObject = (value: unknown): JsonObject => isObject(value) ? value : {}

/** Returns the fields of these names that are there, in this order. */
export const pick = <Value extends object, Key extends keyof Value>(value: Value, ...keys: Key[]): Pick<Value, Key> =>
  Object.fromEntries(keys.filter((key) => value[key] !== undefined).map((key) => [key, value[key]])) as Pick<Value, Key>

/** The value of a field; undefined for one that the object has not, also where every object inherits one. */
export const ownValue = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined

/** Parses text that should be a JSON object. Returns undefined when it is not one. Never throws. */
export const parseObject = (text: string): Record<string, unknown> | undefined => {
  const value = parseJsonOrUndefined(text)
  return isObject(value) ? value : undefined
}

/** For tables that are written out in the code: another object may have more keys than its type. */
export const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] => Object.keys(table) as Key[]

/** Returns the value with the keys of its objects sorted; `arrange` changes each list, of which it gets the key. */
export const sortKeys = (
  value: unknown, arrange: (items: unknown[], key: string) => unknown = (items) => items, key = ''
): unknown => {
  if (Array.isArray(value)) return arrange(value.map((item) => sortKeys(item, arrange)), key)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, part]) => [name, sortKeys(part, arrange, name)]))
}
