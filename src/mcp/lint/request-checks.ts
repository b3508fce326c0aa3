/** What holds for every exchange of either era, whatever went before. */
import { isObject } from '../jsonrpc/parse.js'
import type { Say } from './reporter.js'
import { replyTo, type Seen } from './parsed-exchange.js'

export const checkTransport = (seen: Seen, say: Say): void => {
  const { method, header } = seen
  const accept = (header('accept') ?? '').toLowerCase()
  if (method === 'POST') {
    if (!accept.includes('application/json') || !accept.includes('text/event-stream')) say('accept-incomplete', `Accept: ${header('accept') ?? '–'}`)
    if (!/^application\/json\s*(;|$)/i.test(header('content-type') ?? '')) say('content-type-wrong', `Content-Type: ${header('content-type') ?? '–'}`)
  } else if (method === 'GET') {
    if (seen.era === 'legacy' && !accept.includes('text/event-stream')) say('accept-no-stream', `Accept: ${header('accept') ?? '–'}`)
  } else if (method !== 'DELETE' && method !== 'OPTIONS') {
    say('http-method-wrong', method)
  }
  if (header('authorization') === undefined && header('mcp-session-id') !== undefined) say('authorization-lost', method)
}

export const checkMessages = (seen: Seen, say: Say): void => {
  if (seen.method === 'POST' && seen.body !== undefined && seen.messages === undefined) say('body-not-json', `${seen.body.length} characters`)
  for (const { raw, parsed } of seen.messages ?? []) {
    if (parsed.kind === 'fault') {
      if (isObject(raw) && 'method' in raw && raw['id'] === null) say('id-null', String(raw['method']))
      else say('message-malformed', parsed.fault.message)
      continue
    }
    if (parsed.kind !== 'request') continue
    const { id, method, params } = parsed
    if (method.startsWith('notifications/')) {
      say('notification-with-id', method)
      continue
    }
    const { error } = replyTo(seen, id)
    if (error?.['code'] === -32601) say('method-unknown', method)
    if (error?.['code'] === -32602 && params['cursor'] !== undefined) say('cursor-invented', method)
    const token = tokenOf(params)
    if (token !== undefined && typeof token !== 'string' && !Number.isInteger(token)) say('progress-token-type', method)
  }
}

export const tokenOf = (params: Readonly<Record<string, unknown>>): unknown =>
  isObject(params['_meta']) ? params['_meta']['progressToken'] : undefined
