/** JSON of an exchange as it may be kept: redacted after it was parsed, so that no escape hides anything. */
import { isObject } from '../jsonrpc/parse.js'
import { REDACTED, redactText } from '../../lib/redact/redact.js'

/** Fields whose whole value is a secret: what a request could be taken over with, and what a person typed into a form. */
const SECRET_FIELDS = new Set(['requestState', 'inputResponses'])

/** A parsed value without secrets, in strings and in keys. At most 64 levels deep. */
export const redactJson = (value: unknown): unknown => {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return value.map(redactJson)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) =>
    [redactText(key), SECRET_FIELDS.has(key) ? REDACTED : redactJson(part)]))
}

/** The body of a request. What a client answers to a question of the server is a person's: only how they answered is kept. */
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
