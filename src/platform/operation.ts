/** What an endpoint of the platform API is, to whoever serves it and to the front that asks it. */

export interface OperationSpec {
  /** Its operationId. */
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Under /api/v1, with its parameters as {name}. */
  path: string
  summary: string
  /** JSON Schemas of what is sent and what is answered. */
  params?: object
  query?: object
  body?: object
  answer: object
  /** Whether 404 says that there is no such record. */
  mayLack?: true
  /** Whether asking again does no more than asking once. */
  idempotent: boolean
  /** Whether an answer may hold whole documents. */
  large?: true
  /** What a front does without when a platform does not have it; a platform must have the others. */
  without?: string
}

/** `Answer` and `Body` are what its schemas say. */
export interface PlatformOperation<Answer, Body = undefined> extends OperationSpec {
  readonly types?: readonly [Answer, Body]
}

export const operation = <Answer, Body = undefined>(spec: OperationSpec): PlatformOperation<Answer, Body> => spec

/** All of them stand under it. */
export const PREFIX = '/api/v1'
