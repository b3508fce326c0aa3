/** Describes an endpoint of the platform API, both for the server that offers it and for the gateway that calls it. */
import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import { lazyValidator, type Validation } from '../../lib/schema/validator.js'

export interface OperationSpec {
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to /api/v1, with parameters as {name}. */
  path: string
  summary: string
  /** JSON Schemas of the request's parts and of the response (`answer`). */
  params?: object
  query?: object
  body?: object
  answer: object
  /** Checks a response, and removes what its schema does not name. */
  check: (response: unknown) => Validation<unknown>
  /** Whether 404 means that the record does not exist. */
  mayLack?: true
  /** Whether repeating the request has a further effect. */
  once?: true
  /** Whether a response may hold whole documents: it may then have 64 MiB instead of 1 MiB. */
  large?: true
  /** What a gateway lacks when a platform does not support this optional operation. Absent for required operations. */
  without?: string
}

/** An operation with the types of its request body, and of its response: undefined where there may be none. */
export interface PlatformOperation<Answer, Body = undefined> extends OperationSpec {
  readonly types?: readonly [Answer, Body]
}

interface Described extends Omit<OperationSpec, 'id' | 'method' | 'path' | 'body' | 'answer' | 'check'> {
  route: `${OperationSpec['method']} /${string}`
  body?: JSONSchema
  answer: Exclude<JSONSchema, boolean>
}

type BodyOf<Spec> = Spec extends { body: infer Body extends JSONSchema } ? FromSchema<Body> : undefined

type AnswerOf<Spec extends Described> =
  FromSchema<Spec['answer']> | (Spec extends { mayLack: true } | { without: string } ? undefined : never)

type Operations<Table extends Readonly<Record<string, Described>>> =
  { [Id in keyof Table]: PlatformOperation<AnswerOf<Table[Id]>, BodyOf<Table[Id]>> }

/** The operations of a table, each with its id and with the types that its schemas define. */
export const operationsOf = <const Table extends Readonly<Record<string, Described>>>(table: Table) => {
  const operations = Object.entries<Described>(table).map(([id, { route, ...spec }]) => {
    const [method, path] = route.split(' ')
    return [id, { id, method, path, ...spec, check: lazyValidator(spec.answer, 'pruning') }]
  })
  return Object.fromEntries(operations) as Operations<Table>
}

export const PREFIX = '/api/v1'
