/** Validation and description of the routes. Bodies are not coerced; a query's text may stand for an integer. */
import serializer from 'fast-json-stringify'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import problem from '#schemas/administration/problem.json' with { type: 'json' }
import { textFaults, timeFaults } from '../lib/schema/check-values.js'
import { lazyValidator } from '../lib/schema/validator.js'

interface Properties { properties?: Record<string, { type?: string | readonly string[] }> }

class BadRequest extends Error {
  readonly statusCode = 400
}

export const useSchemas = (app: FastifyInstance): void => {
  app.setValidatorCompiler(compile)
  app.setSerializerCompiler(compileSerializer)
}

/** A value that does not fit the schema, or that the database cannot store, is answered with 400. */
const compile: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const check = lazyValidator(schema)
  return (value: unknown) => {
    const outcome = check(httpPart === 'querystring' ? fromQuery(schema, value) : value)
    if (!outcome.ok) return { error: badRequest(outcome.faults) }
    const faults = valueFaults(outcome.value)
    return faults.length === 0 ? { value: outcome.value } : { error: badRequest(faults) }
  }
}

/** Fastify's serializers, each compiled when it is first needed: all of them at once take an eighth of a start. */
const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: ((value: unknown) => string) | undefined
  return (value: unknown) => {
    serialize ??= serializer(schema)
    return serialize(value)
  }
}

const badRequest = (faults: readonly string[]): BadRequest => new BadRequest(`${faults.join('; ')}.`)

/** Faults that the schema cannot express: characters that the database rejects, and impossible times. */
const valueFaults = (value: unknown): string[] =>
  [...textFaults(value), ...(typeof value === 'object' && value !== null ? timeFaults(value) : [])]

function fromQuery ({ properties = {} }: Properties, query: unknown): unknown {
  return Object.fromEntries(Object.entries(query ?? {}).map(([name, value]) => {
    const number = properties[name]?.type === 'integer' && typeof value === 'string' && /^\d{1,15}$/.test(value)
    return [name, number ? Number(value) : value]
  }))
}

/** Response schemas of a route: its success, and a problem for every error. */
export const responses = <Schema extends object>(status: 200 | 201, schema: Schema) =>
  ({ [status]: schema, '4xx': problemAnswer, '5xx': problemAnswer })

export const listOf = <Schema extends object>(name: string, items: Schema) =>
  ({ type: 'object', properties: { [name]: { type: 'array', items } }, required: [name], additionalProperties: false })

const problemAnswer = { description: problem.description, content: { 'application/problem+json': { schema: problem } } }
