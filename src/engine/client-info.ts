/**
 * What a client sends about itself and its request: not verified, bounded in length, and with credentials redacted.
 * Extensions: 2025-11-25 and 2026-07-28 extensions. Progress tokens: 2026-07-28 basic/patterns/progress#progress-flow
 */
import { Fault } from '../lib/errors.js'
import type { ClientInfo } from './request-context.js'
import { isObject } from '../lib/json/json-object.js'
import { redactText } from '../lib/redact/redact.js'
import { cacheUnchanged } from '../lib/redact/cache-unchanged.js'
import { sanitizeText } from '../lib/text/text.js'

const MAX_LENGTH = 100
/** More characters are searched for credentials than are kept, so that one at the cut is still found. */
const MAX_READ_LENGTH = 4096

export const parseClientInfo = (info: unknown, capabilities: Readonly<Record<string, unknown>>): ClientInfo => {
  const client: ClientInfo = { capabilities }
  if (isObject(info)) {
    const { name, version } = info
    if (typeof name === 'string') client.name = bounded(name)
    if (typeof version === 'string') client.version = bounded(version)
  }
  return client
}

// A cut may leave half of a surrogate pair, which no database takes.
const bounded = cacheUnchanged((text) =>
  sanitizeText(redactText(text.slice(0, MAX_READ_LENGTH)).slice(0, MAX_LENGTH)))

export const declaredExtension = (
  capabilities: Readonly<Record<string, unknown>>, name: string
): Readonly<Record<string, unknown>> | undefined => {
  const extensions = capabilities['extensions']
  const declared = isObject(extensions) ? extensions[name] : undefined
  return isObject(declared) ? declared : undefined
}

const MAX_TOKEN_LENGTH = 1024

/** @throws {Fault} `invalid_params` for another type or a string of more than 1024 characters */
export const parseProgressToken = (meta: unknown): string | number | undefined => {
  const token = isObject(meta) ? meta['progressToken'] : undefined
  if (token === undefined) return undefined
  if (typeof token === 'string' && token.length <= MAX_TOKEN_LENGTH) return token
  if (typeof token === 'number' && Number.isSafeInteger(token)) return token
  throw new Fault('invalid_params', '"params._meta.progressToken" is a string or an integer.')
}
