/**
 * One request to an MCP endpoint as an agent would send it: no redirect is followed, no more is read than is
 * needed.
 */
import { createParser } from 'eventsource-parser'
import { request } from 'undici'
import { LATEST_LEGACY, MODERN_REVISIONS } from '../../mcp/revisions.js'
import { SERVER } from '../../server-info.js'
import { readTextLimited } from '../../lib/read-limited.js'
import { errorCodeOrName } from '../../lib/error-code.js'
import { parseBoundedJson } from '../../lib/json-depth.js'

export interface Endpoint { url: URL, token?: string | undefined }

export interface McpMessage {
  id?: number | string | null
  method?: string
  result?: Record<string, unknown>
  error?: { code?: number, message?: string, data?: Record<string, unknown> }
}

export interface McpAnswer {
  status: number
  /** The first value of a header. */
  header (name: string): string | undefined
  /** The JSON-RPC response, from a plain reply or an event stream. */
  message: McpMessage | undefined
  /** When the reply began: epoch milliseconds by this machine's clock. */
  at: number
  /** How long that took, in milliseconds. */
  ms: number
}

export interface McpRequest {
  method?: 'POST' | 'DELETE'
  headers?: Record<string, string>
  body?: object
  timeoutMs?: number
}

/** No reply came, or the request could not be sent. */
export class NoResponse extends Error {
  constructor (readonly code: string) {
    super(code)
    this.name = 'NoResponse'
  }
}

export const BOTH = 'application/json, text/event-stream'
const TIMEOUT_MS = 10_000
const MAX_BYTES = 1_000_000
const CLIENT = { name: SERVER.name, version: SERVER.version }
const [MODERN] = MODERN_REVISIONS

/** A request of 2026-07-28 with its metadata and the headers that mirror it. */
export const modernRequest = (method: string, params: Record<string, unknown> = {}): McpRequest => ({
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
        'io.modelcontextprotocol/clientInfo': CLIENT,
        'io.modelcontextprotocol/clientCapabilities': {}
      }
    }
  }
})

export const initialize: McpRequest = {
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: LATEST_LEGACY, capabilities: {}, clientInfo: CLIENT }
  }
}

/** The outcome of the handshake; no id when the server has no sessions. */
export interface McpSession { revision: string, id?: string | undefined }

/** Headers that every request after the handshake carries. */
export const inSession = ({ revision, id }: McpSession): Record<string, string> => ({
  'mcp-protocol-version': revision, ...(id !== undefined && { 'mcp-session-id': id })
})

/** A request of the older revisions, in a session. */
export const legacyRequest = (session: McpSession, method: string, params?: Record<string, unknown>): McpRequest => ({
  headers: inSession(session), body: { jsonrpc: '2.0', id: 2, method, ...(params && { params }) }
})

/** A notification of the older revisions, in a session. */
export const legacyNotification = (session: McpSession, method: string): McpRequest => ({
  headers: inSession(session), body: { jsonrpc: '2.0', method }
})

/** The headers of every request, with the credential when there is one. */
export const headersFor = (token: string | undefined): Record<string, string> => ({
  accept: BOTH,
  'content-type': 'application/json',
  'user-agent': `${CLIENT.name}/${CLIENT.version}`,
  ...(token !== undefined && { authorization: `Bearer ${token}` })
})

/**
 * Sends over a connection of its own, so that a load balancer may choose any replica.
 * @throws {NoResponse} when no reply came within the time, or when it is too long
 */
export const send = async (
  { url, token }: Endpoint, { method = 'POST', headers, body, timeoutMs = TIMEOUT_MS }: McpRequest
): Promise<McpAnswer> => {
  const begun = performance.now()
  try {
    const reply = await request(url, {
      method,
      headers: { ...headersFor(token), ...headers },
      reset: true,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { body: JSON.stringify(body) })
    })
    const when = { at: Date.now(), ms: Math.round(performance.now() - begun) }
    const text = await readTextLimited(reply.body, MAX_BYTES)
    if (text === undefined) throw new NoResponse('the answer is too long')
    return {
      status: reply.statusCode, header: (name) => [reply.headers[name]].flat()[0], message: messageIn(text), ...when
    }
  } catch (error) {
    throw new NoResponse(errorCodeOrName(error))
  }
}

const messageIn = (text: string): McpMessage | undefined =>
  [text, ...eventsIn(text)].map(parsed).find((message) => message !== undefined)

/** Returns the data of each event of a stream that has ended; the last event may lack its blank line. */
const eventsIn = (text: string): string[] => {
  const events: string[] = []
  const parser = createParser({ onEvent: ({ data }) => { events.push(data) } })
  // The parser skips a byte order mark only as three bytes; this text is decoded already.
  parser.feed(`${text.replace(/^\uFEFF/, '')}\n\n`)
  return events
}

// The server may be anything: fields are checked where they are used.
const isMessage = (value: unknown): value is McpMessage =>
  typeof value === 'object' && value !== null && ('result' in value || 'error' in value)

const parsed = (text: string): McpMessage | undefined => {
  try {
    const value = parseBoundedJson(text)
    return isMessage(value) ? value : undefined
  } catch {
    return undefined
  }
}
/** Sends one request to an MCP endpoint as an agent would. Redirects are not followed; the reply's size is bounded. */
