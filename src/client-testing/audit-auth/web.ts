/** Sends the requests of an audit: bounded, without following redirects, and recorded without secrets. */
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'undici'
import { SERVER, USER_AGENT } from '../../config/server-info.js'
import { errorCodeOrName } from '../../lib/error-code.js'
import { boundedResponse } from '../../lib/http/bounded-response.js'
import { parseObject, type JsonObject } from '../../lib/json/json-object.js'
import { redactHeaders, redactUrl } from '../../lib/redact/redact-headers.js'
import { createRedactor } from '../redact.js'
import type { SafeExchange } from '../reports/report.js'

export interface WebReply {
  status: number
  /** The first value of a header; empty when it is absent. */
  header(name: string): string
  cookies: string[]
  text: string
  json: JsonObject
}

/** Of a form or a query; what is undefined is left out. */
export type Fields = Readonly<Record<string, string | undefined>>

interface WebRequest { method?: 'OPTIONS', headers?: Record<string, string>, form?: Fields, json?: unknown }

export class NoAnswer extends Error {}

export type Web = ReturnType<typeof createWeb>

const LIMITS = { timeoutMs: 10_000, maxBytes: 1_000_000 }
const MAX_STORED = 4000
const MODERN = '2026-07-28'

export const createWeb = (resource: string) => {
  const exchanges: SafeExchange[] = []
  const secrets: string[] = []
  const send = async (url: string, { method, headers = {}, form, json }: WebRequest = {}): Promise<WebReply> => {
    const body = form ? formOf(form) : json === undefined ? undefined : JSON.stringify(json)
    const sent = {
      method: method ?? (body === undefined ? 'GET' as const : 'POST' as const),
      headers: {
        'user-agent': USER_AGENT,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' }),
        ...headers
      }
    }
    const { status, headers: replyHeaders, text = '', at, ms } = await boundedResponse(
      (signal) => request(url, { ...sent, body: body ?? null, reset: true, signal }), LIMITS
    ).catch((error: unknown) => {
      throw new NoAnswer(`${redactUrl(url)} does not answer (${errorCodeOrName(error)}).`)
    })
    const redactor = createRedactor(secrets)
    exchanges.push({
      number: exchanges.length + 1,
      at: new Date(at).toISOString(),
      duration_ms: ms,
      method: sent.method,
      url: redactor.text(redactUrl(url)),
      headers: redactHeaders(sent.headers),
      body: form ? Object.keys(form).join(', ') : redactor.body(body),
      status,
      reply_headers: redactHeaders(replyHeaders),
      reply: text === '' ? undefined : redactor.reply(text.slice(0, MAX_STORED))
    })
    return {
      status,
      header: (name) => [replyHeaders[name]].flat()[0] ?? '',
      cookies: [replyHeaders['set-cookie'] ?? []].flat(),
      text,
      json: parseObject(text) ?? {}
    }
  }
  return {
    send,
    callResource: (token?: string, url = resource) => send(url, {
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MODERN,
        'mcp-method': 'server/discover',
        ...(token !== undefined && { authorization: `Bearer ${token}` })
      },
      json: {
        jsonrpc: '2.0',
        id: exchanges.length + 1,
        method: 'server/discover',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': MODERN,
            'io.modelcontextprotocol/clientInfo': { name: SERVER.name, version: SERVER.version },
            'io.modelcontextprotocol/clientCapabilities': {}
          }
        }
      }
    }),
    /** Keeps a value out of the record. */
    hide: (secret: string) => { secrets.push(secret) },
    exchanges
  }
}

export const formOf = (fields: Fields): string => new URLSearchParams(
  Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)).toString()

/** Creates a verifier of PKCE, a state, or another value that no one can guess. */
export const randomText = (): string => randomBytes(32).toString('base64url')

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')
