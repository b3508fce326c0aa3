/** Sends requests to the web API, with the header that proves that a page of this server sends them. */
import { BASE_PATH } from '../lib/base-path.js'
import { readProblem, RequestError } from './problem.js'

export const API_PREFIX = '/web/v1'
const TIMEOUT_MS = 30_000

let onSignedOut: () => void = () => {}

/** Sets what happens when the server answers 401: no one is signed in, or the way to sign in does not work. */
export const setSignedOutHandler = (handler: () => void): void => { onSignedOut = handler }

export interface RequestOptions {
  body?: unknown
  signal?: AbortSignal | undefined
  /** Of the record that the request replaces something in: it is refused with 412 when it has another one by now. */
  revision?: number | null
}

/** Returns the reply, which has a status below 400. @throws {RequestError} with a sentence to show */
export const send = async (
  method: string, path: string, { body, signal, revision = null }: RequestOptions = {}
): Promise<Response> => {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(BASE_PATH + API_PREFIX + path, {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    headers: {
      accept: 'application/json, application/problem+json',
      'x-exploration-mcp': 'web',
      ...body !== undefined && { 'content-type': 'application/json' },
      ...revision !== null && { 'if-match': `"${revision}"` }
    },
    ...body !== undefined && { body: JSON.stringify(body) }
  })
  if (response.ok) return response
  const problem = await readProblem(response)
  if (response.status === 401) onSignedOut()
  throw problem
}

/** Returns the JSON of the reply, of the type that the caller states; `undefined` without a body. */
export const requestJson = async <Answer = unknown>(
  method: string, path: string, options?: RequestOptions
): Promise<Answer> => {
  const response = await send(method, path, options)
  try {
    return response.status === 204 ? undefined as Answer : await response.json()
  } catch {
    throw new RequestError('The answer of the server could not be read. Reload the page.', response.status)
  }
}
