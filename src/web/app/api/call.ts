/** The typed client of the web API: paths, queries, bodies and answers are those of the table of operations. */
import type { PageOperations } from '../../../administration/operations.js'
import type { signInOperations } from '../../../administration/operations/sign-in.js'
import type {
  CallArguments, CallInput as Input, ResponseOf, SentBodyOf, SentQueryOf
} from '../../../administration/operation.js'
import { operationPath } from '../../../administration/operation-path.js'
import { requestJson } from './request.js'

type Operations = PageOperations & typeof signInOperations
export type OperationName = keyof Operations

export type Answer<Name extends OperationName> = ResponseOf<Operations[Name]>
export type Query<Name extends OperationName> = SentQueryOf<Operations[Name]>
export type Sent<Name extends OperationName> = SentBodyOf<Operations[Name]>

export type CallInput<Name extends OperationName> = Input<Name, Operations[Name]>

/** The address of an operation below the prefix. Parameters that are undefined or empty are left out. */
export const pathOf = (operation: string, params: object = {}, query: object = {}): string =>
  operationPath(operation, params, Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')))

/** `call('GET /explorations/:id', { params: { id } })`. @throws {RequestError} with a sentence to show */
export const call = async <Name extends OperationName>(
  operation: Name, ...[input, signal]: CallArguments<Name, Operations[Name], [signal?: AbortSignal]>
): Promise<NoInfer<Answer<Name>>> => {
  const { params, query, body }: CallInput<Name> = input ?? {}
  const method = operation.slice(0, operation.indexOf(' '))
  return await requestJson(method, pathOf(operation, params ?? {}, query ?? {}), { body, signal })
}
