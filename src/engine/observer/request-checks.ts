/** The rules for every exchange of either era, whatever came before. */
import { isObject } from '../../lib/json/json-object.js'
import { isSecretName } from '../../lib/redact/secret-names.js'
import type { Request } from '../jsonrpc/message.js'
import { isInUse, type InUse, type ReportFinding } from './observed-state.js'
import { replyTo, type ParsedExchange } from './parsed-exchange.js'

export const checkTransport = (exchange: ParsedExchange, report: ReportFinding): void => {
  const { method, header } = exchange
  const accept = (header('accept') ?? '').toLowerCase()
  if (method === 'POST') {
    if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
      report('accept-incomplete', `Accept: ${header('accept') ?? '–'}`)
    }
    if (!/^application\/json\s*(;|$)/i.test(header('content-type') ?? '')) {
      report('content-type-wrong', `Content-Type: ${header('content-type') ?? '–'}`)
    }
  } else if (method === 'GET') {
    if (exchange.era === 'legacy' && !accept.includes('text/event-stream')) {
      report('accept-no-stream', `Accept: ${header('accept') ?? '–'}`)
    }
  } else if (method !== 'DELETE' && method !== 'OPTIONS') {
    report('http-method-wrong', method)
  }
  if (header('authorization') === undefined && header('mcp-session-id') !== undefined) {
    report('authorization-lost', method)
  }
  const secret = secretParameterOf(exchange)
  if (secret !== undefined) report('token-in-query', secret)
}

/** The name of a parameter of the query that has the name of a secret, or the value of the bearer token. */
const secretParameterOf = ({ url, header }: ParsedExchange): string | undefined => {
  const query = url.indexOf('?')
  if (query < 0) return undefined
  const [, bearer] = /^Bearer +(\S+)$/i.exec(header('authorization') ?? '') ?? []
  return [...new URLSearchParams(url.slice(query))]
    .find(([name, value]) => isSecretName(name) || value === bearer)?.[0]
}

export const checkMessages = (exchange: ParsedExchange, report: ReportFinding): void => {
  if (exchange.method === 'POST' && exchange.body !== undefined && exchange.messages === undefined) {
    report('body-not-json', `${exchange.body.length} characters`)
  }
  for (const { raw, parsed } of exchange.messages ?? []) {
    if (parsed.kind === 'fault') {
      if (isObject(raw) && 'method' in raw && raw['id'] === null) report('id-null', String(raw['method']))
      else report('message-malformed', parsed.fault.message)
      continue
    }
    if (parsed.kind !== 'request') continue
    const { id, method, params } = parsed
    if (method.startsWith('notifications/')) {
      report('notification-with-id', method)
      continue
    }
    const { error } = replyTo(exchange, id)
    if (error?.['code'] === -32601) report('method-unknown', method)
    if (error?.['code'] === -32602 && params['cursor'] !== undefined) report('cursor-invented', method)
    const token = tokenOf(params)
    if (token !== undefined && typeof token !== 'string' && !Number.isInteger(token)) {
      report('progress-token-type', method)
    }
  }
}

const tokenOf = (params: Readonly<Record<string, unknown>>): unknown =>
  isObject(params['_meta']) ? params['_meta']['progressToken'] : undefined

export const checkToken = (
  tokens: InUse, { method, params }: Request, exchange: ParsedExchange, report: ReportFinding
): void => {
  const token = tokenOf(params)
  if (token === undefined || !isInUse(tokens, token, exchange)) return
  report('progress-token-reused', `${method}, token ${JSON.stringify(token)}`)
}
