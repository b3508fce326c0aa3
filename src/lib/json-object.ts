/** JSON objects: values from outside whose fields nobody has checked yet. */
import { parseJsonOrUndefined } from './json-depth.js'

/** Whether a value is a JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> & Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses text that should be a JSON object. Returns undefined when it is not one. Never throws. */
export const parseObject = (text: string): Record<string, unknown> | undefined => {
  const value = parseJsonOrUndefined(text)
  return isObject(value) ? value : undefined
}
