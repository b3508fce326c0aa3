/** Sends one request to an MCP endpoint as an agent would. Redirects are not followed; the reply's size is bounded. */
import { LATEST_LEGACY, MODERN_REVISIONS } from '../../engine/revisions.js'
import { SERVER, USER_AGENT } from '../../config/server-info.js'
import { boundedResponse } from '../../lib/http/bounded-response.js'
import { eventDataIn } from '../../lib/json/event-data.js'
import { errorCodeOrName } from '../../lib/error-code.js'
import { parseJsonOrUndefined } from '../../lib/json/json-depth.js'

export interface Endpoint {
  url: URL
  token?: string | undefined
  headers?: Readonly<Record<string, string>>
}

export interface McpMessage {
  jsonrpc?: unknown
  result?: Record<string, unknown>
  error?: { code?: number, message?: string, data?: Record<string, unknown> }
}

export interface McpAnswer {
  status: number
  header (name: string): string | undefined
  /** The JSON-RPC response, from a plain reply or an event stream. */
  message: McpMessage | undefined
  /** When the reply began: epoch milliseconds by this machine's clock. */
  at: number
  ms: number
}

export interface McpRequest {
  method?: 'POST' | 'DELETE'
  headers?: Record<string, string>
  body?: object
  timeoutMs?: number
}

/** No reply came within the time, it is too long, or the request could not be sent. */
export interface NoResponse { code: string }

export const BOTH = 'application/json, text/event-stream'
const TIMEOUT_MS = 10_000
const MAX_BYTES = 1_000_000
const CLIENT = { name: SERVER.name, version: SERVER.version }
const [MODERN] = MODERN_REVISIONS

/** A request of 2026-07-28 with its metadata and the headers that mirror it. */
export const modernRequest = (
  method: string, params: Record<string, unknown> = {}, client: object = CLIENT
): McpRequest => ({
  headers: {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof params['name'] === 'string' && { 'mcp-name': params['name'] })
  },
  body: {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientInfo': client,
        'io.modelcontextprotocol/clientCapabilities': {}
      }
    }
  }
})

export const initializeRequest = (clientInfo: object, protocolVersion: string): McpRequest =>
  ({ body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } } })

export const initialize = initializeRequest(CLIENT, LATEST_LEGACY)

/** The outcome of the handshake; no id when the server has no sessions. */
export interface McpSession { revision: string, id?: string | undefined }

/** Headers that every request after the handshake carries. */
export const inSession = ({ revision, id }: McpSession): Record<string, string> => ({
  'mcp-protocol-version': revision, ...(id !== undefined && { 'mcp-session-id': id })
})

export const legacyRequest = (session: McpSession, method: string, params?: Record<string, unknown>): McpRequest => ({
  headers: inSession(session), body: { jsonrpc: '2.0', id: 2, method, ...(params && { params }) }
})

export const initializedNotification = (session: McpSession): McpRequest => ({
  headers: inSession(session), body: { jsonrpc: '2.0', method: 'notifications/initialized' }
})

/** The headers of every request, with the credential when there is one. */
export const headersFor = (token: string | undefined): Record<string, string> => ({
  accept: BOTH,
  'content-type': 'application/json',
  'user-agent': USER_AGENT,
  ...(token !== undefined && { authorization: `Bearer ${token}` })
})

/** Sends over a connection of its own, so that a load balancer may choose any replica. */
export const send = async (
  { url, token, headers: fixed }: Endpoint, { method = 'POST', headers, body, timeoutMs = TIMEOUT_MS }: McpRequest
): Promise<McpAnswer | NoResponse> => {
  const all = { ...headersFor(token), ...fixed, ...headers }
  const options = { method, headers: all, body: body && JSON.stringify(body), reset: true }
  // A server has this module for what it says, and holds no client until one is needed.
  const { request } = await import('undici')
  try {
    const { headers: replyHeaders, text, ...reply } = await boundedResponse(
      (signal) => request(url, { ...options, signal }), { timeoutMs, maxBytes: MAX_BYTES })
    if (text === undefined) return { code: 'the answer is too long' }
    return { ...reply, header: (name) => [replyHeaders[name]].flat()[0], message: messageIn(text) }
  } catch (error) {
    return { code: errorCodeOrName(error) }
  }
}

const messageIn = (text: string): McpMessage | undefined =>
  [text, ...eventDataIn(text)].map(parseJsonOrUndefined).find(isMessage)

// The server may be anything: fields are checked where they are used.
const isMessage = (value: unknown): value is McpMessage =>
  typeof value === 'object' && value !== null && ('result' in value || 'error' in value)
