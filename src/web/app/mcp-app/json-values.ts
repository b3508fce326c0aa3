/** Reads values that another program sent: each returns a value of its type, whatever it is given. */
import type { JsonObject } from '../../../lib/json/json-object.js'

/** Whether a value is an object: neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it is an object, otherwise an empty one. */
export const objectOf = (value: unknown): JsonObject => isObject(value) ? value : {}

/** The objects of a list; none if it is no list. */
export const objectsOf = (value: unknown): JsonObject[] => Array.isArray(value) ? value.filter(isObject) : []

/** The texts of a list; none if it is no list. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/** The value if it is text, otherwise `fallback`. */
export const textOf = (value: unknown, fallback = ''): string => typeof value === 'string' ? value : fallback

/** The value if it is a finite number of at least 0, otherwise `fallback`. */
export const countOf = <Fallback>(value: unknown, fallback: Fallback): number | Fallback =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : fallback

/** The value if it is one of these, otherwise the first. */
export const oneOf = <Value extends string>(value: unknown, first: Value, ...others: Value[]): Value =>
  [first, ...others].find((candidate) => candidate === value) ?? first
