/** How the routes are checked and described. Bodies are taken as they are; only a query's text may stand for a number. */
import type { FastifySchemaCompiler } from 'fastify'
import problem from '#schemas/api/problem.json' with { type: 'json' }
import { textFaults, timeFaults } from '../importers/records/check-values.js'
import { validator } from '../lib/schema/validator.js'

interface Properties { properties?: Record<string, { type?: string | readonly string[] }> }

class BadRequest extends Error {
  readonly statusCode = 400
}

export const compile: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const check = validator(schema)
  return (value: unknown) => {
    const outcome = check(httpPart === 'querystring' ? fromQuery(schema, value) : value)
    const faults = outcome.ok ? valueFaults(outcome.value) : outcome.faults
    return outcome.ok && faults.length === 0 ? { value: outcome.value } : { error: new BadRequest(`${faults.join('; ')}.`) }
  }
}

/** What the schema lets pass and the database does not. */
const valueFaults = (value: unknown): string[] =>
  [...textFaults(value), ...(typeof value === 'object' && value !== null ? timeFaults(value) : [])]

function fromQuery ({ properties = {} }: Properties, query: unknown): unknown {
  return Object.fromEntries(Object.entries(query ?? {}).map(([name, value]) => {
    const number = properties[name]?.type === 'integer' && typeof value === 'string' && /^\d{1,15}$/.test(value)
    return [name, number ? Number(value) : value]
  }))
}

/** The answers of a route: its own, and a problem for everything else. */
export const responses = <Schema extends object>(status: 200 | 201, schema: Schema) =>
  ({ [status]: schema, '4xx': problemAnswer, '5xx': problemAnswer })

export const listOf = <Schema extends object>(name: string, items: Schema) =>
  ({ type: 'object', properties: { [name]: { type: 'array', items } }, required: [name], additionalProperties: false })

const problemAnswer = { description: problem.description, content: { 'application/problem+json': { schema: problem } } }
