/** Bytes → JSON → JSON-RPC messages. Of MCP it knows only what an id may be. */
import { isUtf8 } from 'node:buffer'
import { Fault } from '../../lib/errors.js'
import { JsonDepthError, parseBoundedJson } from '../../lib/json/json-depth.js'
import { isObject } from '../../lib/json/json-object.js'
import type { Id, Message } from './message.js'

/** A message, or the fault that says why it is not one, with the id when it could be read. */
export type ParsedMessage = Message | { kind: 'fault', id: Id | undefined, fault: Fault }

/** @throws {Fault} `parse_error` for what is not UTF-8 or JSON, `invalid_request` for JSON that is too deep */
export const parseJson = (body: Buffer): unknown => {
  if (!isUtf8(body)) throw new Fault('parse_error', 'The body is not UTF-8. Send JSON encoded as UTF-8.')
  try {
    return parseBoundedJson(body.toString('utf8'))
  } catch (error) {
    if (error instanceof JsonDepthError) throw new Fault('invalid_request', error.message)
    throw new Fault('parse_error', 'The body is not JSON. Send one JSON-RPC 2.0 message.')
  }
}

/** Reads a parsed JSON value as a JSON-RPC message. Returns the fault (`invalid_request`) instead of throwing it. */
export const parseMessage = (value: unknown): ParsedMessage => {
  if (!isObject(value)) return invalid(undefined, 'A JSON-RPC message is an object with "jsonrpc": "2.0".')
  const id = isId(value['id']) ? value['id'] : undefined
  if (value['jsonrpc'] !== '2.0') return invalid(id, 'A JSON-RPC message has "jsonrpc": "2.0".')
  if ('method' in value) return parseCall(value, id)
  if ('result' in value !== 'error' in value && id !== undefined) {
    return { kind: 'response', id, result: value['result'], error: value['error'] }
  }
  const isResponse = 'result' in value || 'error' in value
  // 2025-11-25 basic/transports#sending-messages-to-the-server: the refusal of a response has no id
  return invalid(
    isResponse ? undefined : id, 'A JSON-RPC message has a "method", or an "id" with either "result" or "error".'
  )
}

const parseCall = (value: Record<string, unknown>, id: Id | undefined): ParsedMessage => {
  const { method, params = {} } = value
  if (typeof method !== 'string' || method === '') return invalid(id, '"method" is a string that names a method.')
  if (method.length > MAX_METHOD_LENGTH) return invalid(id, `"method" has at most ${MAX_METHOD_LENGTH} characters.`)
  if (!isObject(params)) return invalid(id, '"params" is an object.')
  if (!('id' in value)) return { kind: 'notification', method, params }
  // 2026-07-28 basic/index#requests: a string or an integer, and unlike base JSON-RPC never null
  if (id === undefined) return invalid(id, `"id" is an integer, or a string of at most ${MAX_ID_LENGTH} characters.`)
  return { kind: 'request', id, method, params }
}

const MAX_METHOD_LENGTH = 256
const MAX_ID_LENGTH = 1024

const isId = (id: unknown): id is Id =>
  typeof id === 'string' ? id.length <= MAX_ID_LENGTH : Number.isSafeInteger(id)

const invalid = (id: Id | undefined, message: string): ParsedMessage =>
  ({ kind: 'fault', id, fault: new Fault('invalid_request', message) })
