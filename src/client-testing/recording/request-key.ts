/** When two requests are the same for a replay: by what they ask, without ids, tokens of progress and metadata. */
import { asObject, isObject, sortKeys } from '../../lib/json/json-object.js'
import { createRedactor } from '../redact.js'

const redactor = createRedactor()

/** Returns a text that is the same for requests that ask the same. `body` is JSON as a value, or text. */
export const requestKey = (method: string, body: unknown): string => {
  const messages = (Array.isArray(body) ? body : [body]).map(messageKey)
  return canonical([method, ...messages])
}

const messageKey = (message: unknown): unknown => {
  if (!isObject(message)) return message === undefined ? null : message
  const { method, params, id } = message
  if (typeof method !== 'string') return ['response', id]
  if (method === 'initialize') return ['initialize']
  const { _meta: _, ...rest } = asObject(params)
  return [method, id === undefined ? 'notification' : 'request', rest]
}

/** Redacts a body as the recording's was, so that the two can be compared. */
export const redactedBody = (text: string): unknown => redactor.body(text)

/** JSON with sorted keys. Recursive: the parser allows at most 64 levels. */
export const canonical = (value: unknown): string => JSON.stringify(sortKeys(value)) ?? 'null'
