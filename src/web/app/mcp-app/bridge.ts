/**
 * JSON-RPC 2.0 with the host of the view, by messages to the window that holds it: MCP Apps, SEP-1865 of 2026-01-26.
 * Believes nothing of what arrives: other windows, other versions, unknown ids and second answers are ignored.
 */
import type { JsonObject } from '../../../lib/json/json-object.js'
import { isObject, textOf } from './json-values.js'

/** What the host's answer to a request was, if it was an error: its message is text of the host. */
export class HostError extends Error {}

export interface BridgeHandlers {
  onNotification: (method: string, params: JsonObject) => void
  /** Returns the result of the host's request; undefined for a method that the view does not have. */
  onRequest: (method: string) => object | undefined
}

export type Bridge = ReturnType<typeof connectHost>

interface Pending {
  resolve: (result: JsonObject) => void
  reject: (error: HostError) => void
}

const METHOD_NOT_FOUND = -32601
const MAX_MESSAGE_LENGTH = 500

/** Connects `view`, the window of the document, with the window that holds it. */
export const connectHost = (view: Window, { onNotification, onRequest }: BridgeHandlers) => {
  const host = view.parent
  const pending = new Map<unknown, Pending>()
  let lastId = 0
  // The origin of the first answer. A window that went elsewhere since is another host.
  let origin: string | undefined

  const send = (message: object): void => {
    // An opaque origin cannot be named as a target.
    const target = origin === undefined || origin === 'null' ? '*' : origin
    host.postMessage({ jsonrpc: '2.0', ...message }, target)
  }

  const settle = ({ id, result, error }: JsonObject): boolean => {
    const request = pending.get(id)
    if (request === undefined) return false
    pending.delete(id)
    if (isObject(result)) request.resolve(result)
    else request.reject(new HostError(messageOf(error)))
    return true
  }

  view.addEventListener('message', ({ source, origin: from, data }: MessageEvent<unknown>) => {
    // A view that is not held by anything would talk to itself.
    if (source !== host || host === view || !isObject(data) || data['jsonrpc'] !== '2.0') return
    if (origin !== undefined && from !== origin) return
    const { id, method, params } = data
    if (typeof method !== 'string') {
      if (settle(data)) origin ??= from
    } else if (id === undefined) {
      onNotification(method, isObject(params) ? params : {})
    } else if (typeof id === 'string' || typeof id === 'number') {
      const result = onRequest(method)
      const error = { code: METHOD_NOT_FOUND, message: 'The view does not have this method.' }
      send(result ? { id, result } : { id, error })
    }
  })

  return {
    /** Waits as long as the host takes. @throws {HostError} when it answers with an error, or with nothing */
    request: (method: string, params: object) => new Promise<JsonObject>((resolve, reject) => {
      const id = ++lastId
      pending.set(id, { resolve, reject })
      send({ id, method, params })
    }),
    notify: (method: string, params: object): void => send({ method, params })
  }
}

const messageOf = (error: unknown): string =>
  (isObject(error) && textOf(error['message']).slice(0, MAX_MESSAGE_LENGTH)) ||
  'It answered with neither a result nor an error.'
