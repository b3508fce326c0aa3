/** Reads values that another program sent: each returns a value of its type, whatever it is given. */
import type { JsonObject } from '../../../lib/json/json-object.js'

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): JsonObject => isObject(value) ? value : {}

export const textOf = (value: unknown): string => typeof value === 'string' ? value : ''

class OneOf { constructor (readonly values: readonly string[]) {} }

/** In a shape: one of these texts, the first if it is none. */
export const oneOf = <const Values extends readonly string[]>(...values: Values): Values[number] =>
  // A shape has the type of what is fitted to it.
  new OneOf(values) as unknown as Values[number]

/**
 * Fits a value to a shape, which has an example of each member: what is missing or of another type is as it is there. A
 * list has as many of its one example as the value has members of that type. A number is finite and not below 0.
 */
export const fit = <Shape>(value: unknown, shape: Shape): Shape => {
  const fitted = (): unknown => {
    if (shape instanceof OneOf) return shape.values.find((one) => one === value) ?? shape.values[0]
    if (Array.isArray(shape)) {
      const [example]: unknown[] = shape
      return Array.isArray(value)
        ? value.filter((one) => isObject(example) ? isObject(one) : typeof one === typeof example)
          .map((one) => fit(one, example))
        : []
    }
    if (isObject(shape)) {
      const given = objectOf(value)
      return Object.fromEntries(Object.entries(shape).map(([name, part]) => [name, fit(given[name], part)]))
    }
    const isNoCount = typeof value === 'number' && !(Number.isFinite(value) && value >= 0)
    return typeof value === typeof shape && !isNoCount ? value : shape
  }
  return fitted() as Shape
}
