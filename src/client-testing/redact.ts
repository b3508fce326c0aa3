/** Removes secrets from reports and recordings: credentials of this server, and what looks like others'. */
import type { Exchange } from './proxy/exchange.js'
import type { SafeExchange } from './reports/report.js'
import { parseBoundedJson } from '../lib/json/json-depth.js'
import { redactHeaders, redactUrl } from '../lib/redact/redact-headers.js'
import { inBase64, REDACTED, redactText } from '../lib/redact/redact.js'
import { ASSIGNED_SECRET, isSecretName } from '../lib/redact/secret-names.js'
import { isObject } from '../lib/json/json-object.js'
import { quote } from '../lib/text/command-line.js'
import { redactBody, redactJson } from '../engine/engine.js'

const IN_TEXT: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  [/\b(?:sk|pk|rk)[-_](?:[a-z]+[-_])*[A-Za-z0-9_-]{16,}/g, REDACTED],
  [/\b(?:gh[opsu]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza|npm_|hf_)[\w-]{12,}/g, REDACTED],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
  [ASSIGNED_SECRET, `$1${REDACTED}`],
  [/(\/\/[^\s/:@]+:)[^\s/@]+@/g, `$1${REDACTED}@`]
]

export type Redactor = ReturnType<typeof createRedactor>

/** `secrets` are replaced wherever they stand, in every encoding that is usual. */
export const createRedactor = (secrets: readonly string[] = []) => {
  const secretForms = [...new Set(secrets.filter((secret) => secret.length >= 6).flatMap(encodings))].sort(
    (one, other) => other.length - one.length
  )
  const text = (original: string): string => {
    let redacted = original
    for (const secret of secretForms) redacted = redacted.replaceAll(secret, REDACTED)
    redacted = redactText(redacted)
    for (const [pattern, replacement] of IN_TEXT) redacted = redacted.replace(pattern, replacement)
    return redacted
  }
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(deep)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [text(key), isSecretName(key) ? REDACTED : deep(part)])
    )
  }
  const parseAndRedact = (original: string | undefined, redact: (value: unknown) => unknown): unknown => {
    if (original === undefined) return undefined
    try {
      return deep(redact(parseBoundedJson(original)))
    } catch {
      return text(original)
    }
  }
  return {
    text,
    /** Redacts a request body: JSON as a value, other bodies as text. */
    body: (original?: string) => parseAndRedact(original, redactBody),
    reply: (original?: string) => parseAndRedact(original, redactJson)
  }
}

/** Returns the strings of 8 characters or more that a JSON value holds under the name of a secret, at any depth. */
export const secretsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(secretsIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, part]) =>
    typeof part === 'string' ? isSecretName(key) && part.length >= 8 ? [part] : [] : secretsIn(part))
}

const encodings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  ...inBase64(secret)
]

export const toSafeExchange = (exchange: Exchange, redactor: Redactor): SafeExchange => {
  const { number, at, durationMs, method, url, headers, status, replyHeaders, events, injected } = exchange
  const safeHeaders = (all: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(redactHeaders(all)).map(([name, value]) => [redactor.text(name), redactor.text(value)])
    )
  return {
    number,
    at: new Date(at).toISOString(),
    duration_ms: Math.round(durationMs * 1000) / 1000,
    method,
    url: redactor.text(redactUrl(url)),
    headers: safeHeaders(headers),
    body: redactor.body(exchange.body),
    status,
    reply_headers: safeHeaders(replyHeaders),
    reply: redactor.reply(exchange.reply),
    events: events?.map((event) => redactor.reply(event)),
    injected,
    truncated: exchange.truncated || undefined
  }
}

const SECRET_OPTION = /^--?[\w-]*(?:key|token|secret|password|auth|header)[\w-]*/i

/** Returns a command line as a shell takes it, with what looks like a secret redacted. */
export const toCommandLine = (words: readonly string[], redactor: Redactor): string => words.map((word, index) => {
  const before = words[index - 1] ?? ''
  if (SECRET_OPTION.test(before) && !before.includes('=') && !word.startsWith('-')) return quote('[redacted]')
  const [, name] = /^(--?[^=]+)=/.exec(word) ?? []
  return quote(name !== undefined && SECRET_OPTION.test(name) ? `${name}=[redacted]` : redactor.text(word))
}).join(' ')
