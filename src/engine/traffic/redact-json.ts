/** Redacts the JSON of an exchange: the parsed value, so that JSON escapes cannot hide a secret. */
import { isObject } from '../../lib/json/json-object.js'
import { REDACTED, redactText } from '../../lib/redact/redact.js'
import { isSecretName } from '../../lib/redact/secret-names.js'

/** Fields that are redacted whole: a state that continues a request, and what a person entered into a form. */
const SECRET_FIELDS = new Set(['requestState', 'inputResponses'])

/** Redacts secrets in strings and keys, and members with the name of one. The parser allows at most 64 levels. */
export const redactJson = (value: unknown): unknown => {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return value.map(redactJson)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) =>
    [redactText(key), SECRET_FIELDS.has(key) || isSecretName(key) ? REDACTED : redactJson(part)]))
}

/** Redacts a request body. Of a response to the server only the action is kept: the rest was entered by a person. */
export const redactBody = (body: unknown): unknown => Array.isArray(body) ? body.map(redactOne) : redactOne(body)

const redactOne = (body: unknown): unknown => {
  if (!isObject(body) || 'method' in body || !('result' in body || 'error' in body)) return redactJson(body)
  const { id, result } = body
  const action = isObject(result) ? ACTIONS.find((known) => known === result['action']) : undefined
  return {
    jsonrpc: redactJson(body['jsonrpc']),
    id: redactJson(id),
    ...('result' in body && { result: action === undefined ? REDACTED : { action, content: REDACTED } }),
    ...('error' in body && { error: REDACTED })
  }
}

const ACTIONS = ['accept', 'decline', 'cancel'] as const
