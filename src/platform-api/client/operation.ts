/** Describes an endpoint of the platform API, both for the server that offers it and for the gateway that calls it. */

export interface OperationSpec {
  /** Its operationId. */
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
  /** Whether 404 means that the record does not exist. */
  mayLack?: true
  /** Whether repeating the request has a further effect. */
  once?: true
  /** Whether a response may hold whole documents: it may then have 64 MiB instead of 1 MiB. */
  large?: true
  /** What a gateway lacks when a platform does not support this optional operation. Absent for required operations. */
  without?: string
}

/** An operation with the types of its response and request body, as its schemas define them. */
export interface PlatformOperation<Answer, Body = undefined> extends OperationSpec {
  readonly types?: readonly [Answer, Body]
}

type Route = Omit<OperationSpec, 'method' | 'path'> & { route: `${OperationSpec['method']} /${string}` }

/** Returns the specification of a route, such as `GET /platform`, with its types. */
export const operation = <Answer, Body = undefined>(
  { route, ...spec }: Route
): PlatformOperation<Answer, Body> => {
  const [method, path] = route.split(' ') as [OperationSpec['method'], string]
  return { method, path, ...spec }
}

/** The path prefix of all operations. */
export const PREFIX = '/api/v1'
