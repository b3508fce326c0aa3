/** The typed client of the web API: paths, queries, bodies and answers are those of the table of operations. */
import type { Operations } from '../../api/operations.js'
import type { ResponseOf, SentBodyOf, SentQueryOf } from '../../api/operation.js'
import { requestJson } from './request.js'

export type OperationName = keyof Operations

export type Answer<Name extends OperationName> = ResponseOf<Operations[Name]>
export type Query<Name extends OperationName> = SentQueryOf<Operations[Name]>
export type Sent<Name extends OperationName> = SentBodyOf<Operations[Name]>

type PathParams<Path extends string> =
  Path extends `${string}:${infer Name}/${infer Rest}`
    ? Name | PathParams<Rest>
    : Path extends `${string}:${infer Name}` ? Name : never

export interface CallInput<Name extends OperationName> {
  params?: Record<PathParams<Name>, string>
  query?: Query<Name>
  body?: Sent<Name>
}

/** Only an operation without parameters in its path can be called without input. */
type CallArguments<Name extends OperationName> = [PathParams<Name>] extends [never]
  ? [input?: CallInput<Name>, signal?: AbortSignal]
  : [input: CallInput<Name> & { params: object }, signal?: AbortSignal]

/**
 * The address of an operation below the prefix: `/explorations/7?limit=20`. Parameters that are undefined or empty are
 * left out.
 */
export const pathOf = (operation: string, params: object = {}, query: object = {}): string => {
  const values = new Map<string, unknown>(Object.entries(params))
  const template = operation.slice(operation.indexOf(' ') + 1)
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== '') search.append(name, String(each))
    }
  }
  const text = search.toString()
  return text === '' ? path : `${path}?${text}`
}

/**
 * Calls an operation: `call('GET /explorations/:id', { params: { id } })`.
 * @throws {RequestError} with a sentence to show
 */
export const call = async <Name extends OperationName>(
  operation: Name, ...[input, signal]: CallArguments<Name>
): Promise<NoInfer<Answer<Name>>> => {
  const { params, query, body } = input ?? {}
  const method = operation.slice(0, operation.indexOf(' '))
  return await requestJson(method, pathOf(operation, params ?? {}, query ?? {}), { body, signal })
}
