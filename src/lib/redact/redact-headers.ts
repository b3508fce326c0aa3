/** Redacts request targets and HTTP headers for records. */
import { createHash } from 'node:crypto'
import { REDACTED, redactText } from './redact.js'

const SHOWN = new Set([
  'accept', 'accept-encoding', 'accept-language', 'allow', 'cache-control', 'connection', 'content-encoding',
  'content-length', 'content-type', 'date', 'expect', 'forwarded', 'host', 'last-event-id', 'origin', 'retry-after',
  'te', 'traceparent', 'transfer-encoding', 'upgrade', 'user-agent', 'vary', 'via', 'www-authenticate',
  'x-accel-buffering', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'x-request-id'
])
const SHOWN_PREFIXES = ['access-control-', 'mcp-', 'ratelimit', 'sec-fetch-', 'x-ratelimit-']
const SESSION = 'mcp-session-id'
const MAX_VALUE_LENGTH = 1024

const isShown = (name: string): boolean => SHOWN.has(name) || SHOWN_PREFIXES.some((prefix) => name.startsWith(prefix))

/**
 * Returns a copy whose values are safe to store: at most 1,024 characters each, unknown headers as `[redacted]`.
 * A session id becomes a SHA-256 digest, which still distinguishes sessions.
 * @param headers names in lower case, as Node gives them
 */
export const redactHeaders = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(', ') : String(value)
    if (name === SESSION) return [name, sessionDigest(text)]
    return [redactText(name), isShown(name) ? redactText(text).slice(0, MAX_VALUE_LENGTH) : REDACTED]
  }))

const sessionDigest = (id: string): string => `sha256:${createHash('sha256').update(id).digest('hex').slice(0, 16)}`

const MAX_PATH_LENGTH = 256

/** Returns the path without credentials, at most 256 characters. Drops the query, because it may hold a secret. */
export const redactPath = (url: string): string => redactText(url.split('?', 1)[0] ?? '').slice(0, MAX_PATH_LENGTH)

export const redactUrl = (url: string): string => redactPath(url) + (url.includes('?') ? '?[redacted]' : '')
